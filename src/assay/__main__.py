"""`python -m assay`, for machines whose scripts folder is not on the path."""

from assay.cli import main

if __name__ == "__main__":
    main()
