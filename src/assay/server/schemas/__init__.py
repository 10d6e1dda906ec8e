"""What requests and answers look like, by resource; the dashboard's types are made from these."""
