"""The host and its handlers, against a real store."""
