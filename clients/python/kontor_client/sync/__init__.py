"""The same client without `async`: each call waits for its answer.

It is a thin layer over the asynchronous client, which runs in a loop on a thread of its own. So resuming, repeating and
hanging up are written once; gRPC's own synchronous channel would have wanted a second version of each.

    with Client("127.0.0.1:50051") as client:
        table = client.create_table("augsburg", bots=["stand-in", "stand-in"])
        seat = table.join("Ada")
        table.start()
        for update in seat.updates():
            ...
"""

from kontor_client.sync.client import Client, HostedTable
from kontor_client.sync.viewers import Seat, Spectator, Viewer

__all__ = ["Client", "HostedTable", "Seat", "Spectator", "Viewer"]
