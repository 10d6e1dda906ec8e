"""Whether the documents support an answer, whether it names them, and how far it drifts."""
