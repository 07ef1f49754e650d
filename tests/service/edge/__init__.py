"""The gRPC edge, over a real channel."""
