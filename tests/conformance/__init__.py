"""The conformance suite: what every game of the house must keep, proven by random games and named positions.

It runs over all games of `domain/games.py` and the toy. `KONTOR_GAME=strasbourg` runs it for one game, also for one
that is not yet in the list; `KONTOR_GAMES=2000` runs it at length (`make conformance GAMES=2000 GAME=strasbourg`).
A short run always plays the same games, a long one draws them from pytest's `--randomly-seed`, printed at its head.
A failure prints the start and the number of the game, or the position, in which it happened.

**For the author of a game.** The suite takes everything from the contract; what only you can tell stands in one file,
`tests/conformance/games/<game id>.py` (copy `games/toy.py`), with exactly these names:

`BOUND: int`
    The most commands that a game can take. A random game that takes more fails.

`invariants(state) -> None`
    Asserts what always holds (no negative money, one tile a space ...). Called for every state met, twins too.

`POSITIONS: dict[str, Callable[[], State]]`
    Named states in the middle of play which random play rarely reaches: whatever is rare (the master builder, an
    emptied deck, a tie, the last round), and at least one with sealed answers, if the game seals any. Build them with
    `tests.scenario`: `given(game, state, Question(...)).when(2, Command(...)).state`. Somebody must be asked in them.
    All properties hold in them, and random play goes on from them for a while. If the run says "never compared:
    Event X" or "Command Y", add a position from which it happens at once.

`HIDDEN: dict[str, Callable[[State, int], object]]`
    Each kind of hidden thing ("hand", "deck order", "money", "sealed answer", "tasks") and a function of (state,
    viewer) that gives what of it is hidden from that viewer (0 is a spectator), in a form that compares by `==`; or
    None if nothing of it is hidden from him now, or it could not be otherwise (a single card). The suite fails if
    `resample` never changed a kind, or gives back the state itself more than once in five where something is hidden.

`FAULTS: dict[str, Callable[[], Game]]`
    A planted fault of every kind in `faults.KINDS` (fixed names): a function that gives your game with this breakage,
    made by the helpers of `tests/conformance/faults.py`. The suite must catch each one. Most are one line:

        from tests.conformance.faults import changed_events, changed_shows, faulty, leaky_view, ...

    The helpers, each of which takes your game's module first:
    `leaky_view(game, what)`      the view also tells what(state, viewer)
    `leaky_options(game, what)`   every option also tells what(state, seat)
    `leaky_refusals(game, what)`  every refusal also tells what(state, seat)
    `changed_events(game, change)`  every event is change(event) instead, and the state follows
    `changed_shows(game, EventType, change)`  what is shown of such an event is change(event, shown, viewer) instead
    `unsealed(game)`  sealed answers are shown to all
    `skips_forced(game)`  a seat with a single answer is not asked, the answer is given for it
    `forgets(game, EventType)`  folding such an event changes nothing
    `draws_twice(game)`  every command draws from the same label
    `resamples_nothing(game)`
    `faulty(game, view=..., show=..., decide=...)`  whatever else: the game with these parts exchanged

    A fault must be of its kind and quickly met: in play or in one of your positions. Only "a sealed answer shown
    early" may be `ABSENT`, in a game that never seals.

**What the suite asks of the game's types.**
- In shown events, every field by which somebody learns something is marked `reveals(rule, to=...)`: to "all", or to
  the seat or seats in the field of the same shown event that `to` names. That includes the first event: what chance
  decided there (`first`, `to="all"`) and the viewer's own hand (give the shown event a `viewer` field, `to="viewer"`).
  The first difference between what a viewer is shown in two worlds that he could not tell apart must lie in such
  fields; whatever follows from it, later events and later fields of other events, needs no mark.
- In commands, every field that others do not see is marked `secret(rule)`. All fields of a command are given or open
  in each of its options: what no slot checks nobody checks.
- A state is a `course.Playing` (the suite reads `state.numbers` for the number of seats).
- `resample` keeps, with a chance that leaves orders as they are, whatever still fits: a sealed answer that fits the new
  hand stays (see the toy's), else a near twin changes more than a pair and late events are never compared.
- Another seat's answer never closes an open decision or changes its options.

**How it is built.** `subjects` what is tested · `walk` random games · `tally` what was counted · `folding` bytes and
folds · `keeping` what never changes · `vocabulary` types · `asking` who is asked · `oracle`, `mutations`, `algebra` the
slots · `twins` states that a viewer can't tell apart · `worlds` two of them side by side · `stories` what he is told
in them · `faults` breakages · `golden` whole games as text · `claims` how it fails.
"""
