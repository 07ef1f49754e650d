# The sentences of The Little Fair.

## What happens

fair-began = { $viewer ->
        [nobody] The fair begins: cards are dealt to everybody, and { $deck } stay in the deck. { $first } goes first.
       *[other] The fair begins: { $viewer } is dealt { $hand }, and { $deck } cards stay in the deck. { $first } goes first.
    }
round-began = Round { $round } begins with { $first }.
staked = { $coins ->
        [0] { $seat } stakes nothing.
        [one] { $seat } stakes one coin.
       *[other] { $seat } stakes { $coins } coins.
    }
offered = { $seat } offers { $cards }.
scored = { $points ->
        [one] { $seat } earns one point.
       *[other] { $seat } earns { $points } points.
    }
card-drawn = { $card ->
        [none] { $seat } draws a card.
       *[other] { $seat } draws { $card }.
    }
card-handed = { $card ->
        [none] { $seat } hands a card to { $to }.
       *[other] { $seat } hands { $card } to { $to }.
    }
packed = { $baskets-count ->
        [one] { $seat } packs one basket: { $baskets }.
       *[other] { $seat } packs { $baskets-count } baskets: { $baskets }.
    }

## Questions

question-staking = How many coins do you stake?
question-offering = Which cards do you offer?
question-naming = Who hands you a card?
question-handing = Which card do you hand over?
question-packing = Which cards go into which basket?

## What may be answered

option-stake = { $coins-most ->
        [0] Stake nothing.
        [one] Stake one coin or none.
       *[other] Stake { $coins-least } to { $coins-most } coins.
    }
option-offer = { $cards-most ->
        [one] Offer one card worth at most { $cards-limit }.
       *[other] Offer { $cards-least } to { $cards-most } cards, worth at most { $cards-limit } together.
    }
option-name = Name { $player }.
option-hand = Hand over { $card }.
option-pack = Pack all your cards into baskets.

## What was answered

command-stake = { $coins ->
        [0] Stake nothing.
        [one] Stake one coin.
       *[other] Stake { $coins } coins.
    }
command-offer = Offer { $cards }.
command-name = Name { $player }.
command-hand = Hand over { $card }.
command-pack = Pack { $baskets }.

## Refusals

refusal-stake-below-zero = A stake is a number from { $least } to { $most }.
refusal-stake-exceeds-coins = You have only { $most ->
        [one] one coin
       *[other] { $most } coins
    } to stake.
refusal-card-not-held = You do not hold such a card.
refusal-offer-one-or-two = Offer at least { $least } and at most { $most } of your cards.
refusal-apple-missing = As long as you hold an apple, offer at least one.
refusal-offer-too-heavy = Those cards are worth { $sum } together; at most { $limit } are allowed.
refusal-player-has-no-card = Name another player who still holds a card.
refusal-cards-not-all-packed = Every card of your hand goes into exactly one basket.
refusal-empty-basket = A basket holds at least one card.

## Points

source-points = rounds and baskets
