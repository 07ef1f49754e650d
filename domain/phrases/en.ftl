# What all games say. A game's own phrases come before these. The arguments are told in service/phrases.py.

## Names and lists

seat = Seat { $seat }
nobody = nobody
list-and = { $first } and { $last }
list-or = { $first } or { $last }
list-empty = nothing
value-points = { $points } ({ $source })
value-standing = { $seat } with { $points }

## The engine's own events

has-answered = { $command ->
        [none] { $seat } has chosen.
       *[other] { $seat } has chosen: { $command }
    }
now-asked = { $seats-count ->
        [0] The game is over.
       *[other] It is up to { $seats }.
    }

## Refusals of the engine

refusal-not-asked = You are not asked anything now.
refusal-not-offered = That is not among the answers offered to you now.

## Refusals of a table

refusal-unknown-setting = There is no table option { $setting }; valid: { $valid }.
refusal-unknown-edition = There is no edition { $edition }; valid: { $valid }.
refusal-table-cancelled = This table was cancelled.
refusal-table-started = The game has already begun.
refusal-table-not-started = The game has not begun yet.
refusal-table-full = All { $most } seats are taken.
refusal-seats-missing = { $seats ->
        [one] Only one seat is taken; the game needs at least { $least }.
       *[other] Only { $seats } seats are taken; the game needs at least { $least }.
    }
refusal-seat-is-a-bot = Seat { $seat } is played by a bot already.
refusal-no-such-seat = There is no seat { $seat }; seats taken: { $seats }.
refusal-bad-name = A name has 1 to { $most } printable characters.
refusal-name-taken = Somebody at this table is called { $name } already.
refusal-decision-gone = This decision is no longer open; look at the newest view.
refusal-game-over = The game is over.
refusal-seat-left = This seat was given up.
refusal-seat-not-overdue = The host can hand over a seat only to a bot, and only when its answer is overdue.

## What happens to a table

table-opened = The table is opened.
seat-taken = { $bot ->
        [none] { $name } sits down.
       *[other] { $name }, a bot, sits down.
    }
seat-left = { $name } stands up.
table-started = The game begins.
table-cancelled = The table is given up.
seat-handed-over = { $bot ->
        [none] { $name } takes over seat { $seat }.
       *[other] A bot plays on for { $name } on seat { $seat }.
    }
