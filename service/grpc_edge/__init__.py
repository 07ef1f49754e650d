"""The gRPC edge: everything between the wire and the handlers."""

from service.grpc_edge.server import Server, StartError

__all__ = ["Server", "StartError"]
