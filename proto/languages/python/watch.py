"""Watches a table and prints what happens: watch.py 127.0.0.1:50051 <table id> <token>."""

import sys

import grpc

from kontor.v1 import PlayServiceStub, WatchViewRequest

address, table, token = sys.argv[1:]
with grpc.insecure_channel(address) as channel:
    request, headers = WatchViewRequest(table_id=table), [("authorization", f"Bearer {token}")]
    for news in PlayServiceStub(channel).WatchView(request, metadata=headers):
        for event in [event for change in news.changes for event in change.events]:
            print(event.sentence.text)
        if news.view.HasField("decision"):
            print(news.view.decision.question.text, [option.sentence.text for option in news.view.decision.options])
