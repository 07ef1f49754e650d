"""A spectator in 20 lines: he tells what happens at a table, from its beginning to the final ranking.

python examples/spectator.py TABLE VIEW_TOKEN
"""

import os
import sys

from kontor_client.sync import Client

with Client(os.environ.get("KONTOR_SERVER", "127.0.0.1:50051")) as client:
    spectator = client.spectator(sys.argv[1], sys.argv[2])
    last = None
    for past in spectator.history():
        print(*(event.sentence.text for event in past.change.events), sep="\n")
        last = past.change.moment
    for update in spectator.updates(last):
        print(*update.sentences, sep="\n")
    names = {seat.number: seat.name for seat in update.view.table.seats}
    for standing in update.view.ranking.standings:
        print(f"{standing.place}. {names[standing.seat]} with {standing.points}")
