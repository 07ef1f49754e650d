"""The messages and services of Kontor, generated from its .proto files."""
