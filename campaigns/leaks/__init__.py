"""Leaks at the wire: two servers, a position and its resample, and every byte that a viewer gets of both.

The two are processes of the whole service (`kontor serve`, with a Valkey each), started by `server` so that they give
the same tags, salts and times to the same table. One begins its tables from positions, the other from their twins. The
campaign knows the true rules and plays both worlds itself (`truth`), so a fault in a server's rules is found too: as
long as by the true rules the viewer is told the same, all bytes he gets must be the same: answers, statuses, headers,
messages of streams, and so their sizes. Where a rule reveals something to him, the pair ends.

At the end the operator's books are compared as well (`books`): what both servers have logged, and what they have
counted. The service makes no traces, so there are none to compare.

`pairs` where worlds begin · `truth` both worlds by the rules · `wire` calls to both · `table` a table of both ·
`visit`, `refusals` what is asked there · `difference` what differs first · `books` logs and metrics · `tally` counts ·
`plants`, `plants_service` leaks to be found · `server`, `servers` the processes · `campaign` all of it together.
"""
