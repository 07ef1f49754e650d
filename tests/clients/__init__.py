"""What others build on: the generated messages, and the clients."""
