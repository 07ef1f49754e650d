# The sentences of Die Fugger.

## Cards

key-copper = copper
key-copper-sealed = sealed copper
key-cloth = cloth
key-cloth-sealed = sealed cloth
key-wine = wine
key-wine-sealed = sealed wine
key-spices = spices
key-spices-sealed = sealed spices
key-jewels = jewels
key-jewels-sealed = sealed jewels
key-merchant = merchant

## What happens

game-began = { $deck } cards are shuffled; { $first } starts.
card-drawn = { $card ->
        [none] { $seat } draws a card.
       *[other] { $seat } draws { $card }.
    }
draw-lapsed = No card is left for { $seat } to draw.
deck-renewed = { $cards ->
        [one] The discard becomes the new deck: one card.
       *[other] The discard is shuffled into a new deck of { $cards } cards.
    }
turned-for-jakob = { $card-key ->
        [merchant] A merchant is turned over for Jakob and discarded.
       *[other] Jakob gets { $card }.
    }
jakob-went-without = { $cards ->
        [one] No goods are left: Jakob goes without a card.
       *[other] No goods are left: Jakob goes without { $cards } cards.
    }
played-open = { $seat } plays { $card }.
card-laid-face-down = { $card ->
        [none] { $seat } lays a card face down.
       *[other] { $seat } lays { $card } face down.
    }
skipped = { $seat } can do nothing and skips.
round-ended = Five { $good } lie open on the turn of { $seat }: the round is evaluated.
price-moved = { $rule ->
        [FUG-302] The price of { $good } rises to { $price }.
        [FUG-303] The price of { $good } would pass 9 and stops at { $price }.
       *[other] The price of { $good } falls to { $price }.
    }
goods-paid = { $florins ->
        [one] { $seat } is paid one florin for open goods.
       *[other] { $seat } is paid { $florins } florins for open goods.
    }
seals-paid = { $florins ->
        [one] { $seat } is paid one florin more for the royal seal.
       *[other] { $seat } is paid { $florins } florins more for the royal seal.
    }
goods-discarded = All open goods are discarded.
merchants-discarded = The open merchants are discarded.
round-began = Round { $round } begins; it is { $seat }'s turn.
face-down-shown = { $seat } turns over { $cards }.
face-down-paid = { $seat } is paid { $florins } florins for cards that lay face down.

## Questions

question-on-turn = Will you draw, play a card open, or play one face down?

## What may be answered

option-draw = Draw a card.
option-play-open = Play { $card } open.
option-play-face-down = Play { $card } face down.
option-skip = Skip: there is nothing you can do.

## What was answered

command-draw = Draw a card.
command-play-open = Play { $card } open.
command-play-face-down = Play { $card } face down.
command-skip = Skip.

## Refusals

refusal-hand-full = You hold { $cards } cards; only with { $most } or fewer may you draw.
refusal-no-card-left = There is no card left to draw, neither in the deck nor in the discard.
refusal-card-not-held = You do not hold such a card.
refusal-too-many-merchants = { $most } merchants lie before you already, and more are not allowed.
refusal-merchant-face-down = A merchant is never played face down.
refusal-not-this-round = This is round { $round }; cards are played face down only up to round { $last }.
refusal-already-played-face-down = You have already played a card face down in round { $round }.
refusal-skipped-by-choice = Nobody passes by choice: you can still draw or play a card.

## Where florins come from

source-goods = open goods
source-seals = royal seals
source-face-down = face-down cards
