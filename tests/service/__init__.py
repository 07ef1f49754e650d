"""The service, tried from the outside of each of its parts."""
