# The sentences of Augsburg 1520. The arguments are told in service/phrases.py.

## What happens

game-began = The table is set: { $seat } goes first. Privilege cards face up: { $face-up }. The supply holds { $supply } cards; the one on top costs { $top }.
round-began = { $face-down-count ->
        [0] Round { $round } begins with the other five privilege cards: { $face-up }.
       *[other] Round { $round } begins. All privilege cards are shuffled; face up: { $face-up }.
    }
round-ended = { $left-over-count ->
        [0] The five auctions are over.
       *[other] The five auctions are over. Nobody won { $left-over }, set aside unused.
    }
auction-opened = { $noble } wants a loan. { $seat } opens the auction.
bid-made = { $cards ->
        [one] { $seat } bids one card.
       *[other] { $seat } bids { $cards } cards.
    }
called = { $cards ->
        [one] { $seat } calls: one card too.
       *[other] { $seat } calls: { $cards } cards too.
    }
passed = { $seat } passes.
auction-failed = Nobody bids for { $noble }. { $seat } opens the next auction.
cards-shown = { $seat } shows { $cards }.
auction-won = { $seat } wins the auction of { $noble } and discards { $cards }.
guilders-paid = { $rule ->
        [AUG-212] { $seat } gets { $guilders } guilders as a consolation.
        [AUG-315] { $seat } takes { $guilders } guilders for the lost step.
        [AUG-402] { $seat } earns { $guilders } guilders by trade.
       *[other] { $seat } gets { $guilders } guilders.
    }
prestige-gained = { $kept ->
        [0] { $seat } stands at the limit: { $points } prestige are lost.
       *[other] { $gain-key ->
            [compensation] { $seat } takes { $kept } prestige for the lost step.
            [round] { $seat } gains { $kept } of { $points } prestige by rank.
           *[other] { $seat } gains { $kept } of { $points } prestige.
        }
    }
privilege-card-taken = { $seat } takes the privilege card { $card }.
privilege-used = { $use-key ->
        [plain] { $seat } uses { $privilege }.
        [step] { $seat } uses { $privilege } for the next step.
        [guilders] { $seat } uses { $privilege } for money.
        [church] { $seat } uses { $privilege } to erect a church.
        [cathedral] { $seat } uses { $privilege } to erect a cathedral.
       *[other] { $seat } uses { $privilege } for a { $use }.
    }
privilege-forgone = { $seat } forgoes a privilege.
privilege-card-set-aside = { $seat } sets the card { $card } aside.
step-taken = { $holder ->
        [nobody] { $seat } rises to step { $step } of { $category }.
       *[other] { $seat } rises to step { $step } of { $category } and takes the tile from { $holder }.
    }
tile-taken = { $by-builder ->
        [yes] { $seat }'s master builder erects a { $tile } for { $number } guilders.
       *[no] { $tile-key ->
            [church] { $seat } erects a church for { $number } guilders.
            [cathedral] { $seat } erects a cathedral for { $number } guilders.
            [coat-of-arms] { $seat } takes a coat of arms worth { $number }.
            [letter-of-nobility] { $seat } takes a letter of nobility worth { $number }.
           *[other] { $seat } takes a { $tile }.
        }
    }
cards-drawn = { $to-hand ->
        [yes] { $cards-count ->
            [0] { $prices-count ->
                [one] { $seat } draws a card for { $prices }.
               *[other] { $seat } draws { $prices-count } cards for { $prices }.
            }
           *[other] { $seat } draws { $cards }.
        }
       *[no] { $cards-count ->
            [0] { $prices-count ->
                [one] { $seat } is dealt a card for { $prices }.
               *[other] { $seat } is dealt cards for { $prices }.
            }
           *[other] { $seat } is dealt { $cards } to buy.
        }
    } { $top ->
        [0] The supply is empty.
       *[other] The next card costs { $top }.
    }
supply-shuffled = { $supply ->
        [one] One card is the new supply; it costs { $top }.
       *[other] The cards are shuffled into a new supply of { $supply }; the one on top costs { $top }.
    }
discarded = { $seat } discards { $card }.
certificate-given = { $price ->
        [0] { $seat } has no card to give.
       *[other] { $card ->
            [none] { $seat } puts a card of price { $price } under the supply.
           *[other] { $seat } puts { $card } under the supply.
        }
    }
certificates-bought = { $prices-count ->
        [0] { $seat } buys nothing.
       *[other] { $cards-count ->
            [0] { $prices-count ->
                [one] { $seat } buys one card for { $prices }.
               *[other] { $seat } buys { $prices-count } cards for { $prices }.
            }
           *[other] { $seat } buys { $cards }.
        }
    }
cards-unbought = { $cards ->
        [one] One card stays unbought and is discarded: { $top }.
       *[other] { $cards } cards stay unbought and are discarded, { $top } on top.
    }
game-ended = { $seats-count ->
        [one] { $rule ->
            [AUG-502] { $seats } wins the tie by the dearest building.
           *[other] { $seats } wins with the highest prestige.
        }
       *[other] { $seats } share the victory.
    }

## Questions

question-bidding = { $bid ->
        [0] { $noble }: do you open with a bid, or pass?
        [one] { $noble }: the highest bid is one card. Do you raise, call or pass?
       *[other] { $noble }: the highest bid is { $bid } cards. Do you raise, call or pass?
    }
question-paying = { $bid ->
        [one] You win the auction of { $noble }. Which card do you discard?
       *[other] You win the auction of { $noble }. Which { $bid } cards do you discard?
    }
question-showdown = { $bid ->
        [one] Showdown for { $noble }: which card do you show?
       *[other] Showdown for { $noble }: which { $bid } cards do you show?
    }
question-taking = Which privilege card do you take?
question-using = { $uses ->
        [0] Does your master builder build?
        [one] You have one privilege left. What do you use?
       *[other] You have { $uses } privileges to use. What do you use?
    }
question-discarding = Which card of your hand do you discard?
question-compensating = You lose a step tile. What do you take for it?
question-buying = You have { $guilders } guilders. Which cards do you buy?
question-giving = The supply is too small. Which card do you put under it?

## What may be answered

option-bid = { $cards-most ->
        [one] Bid one card.
       *[other] Bid { $cards-least } to { $cards-most } cards.
    }
option-call = Call the highest bid.
option-pass = Pass.
option-present-certificates = { $cards-most ->
        [one] Choose one valid certificate.
       *[other] Choose { $cards-most } valid cards, at least one of them no joker.
    }
option-take-privilege-card = Take { $card }.
option-use-privilege = { $use-key ->
        [plain] { $privilege-key ->
            [money] Use { $privilege }: { $guilders } guilders.
            [draw] Use { $privilege }: two cards from the supply, then discard one.
           *[other] Use { $privilege }.
        }
        [step] { $holder ->
            [nobody] Use { $privilege } to rise to step { $step }.
           *[other] Use { $privilege } to rise to step { $step }, with the tile of { $holder }.
        }
        [guilders] Use { $privilege } for { $guilders } guilders.
        [church] Use { $privilege } to erect a church for { $cost } guilders.
        [cathedral] Use { $privilege } to erect a cathedral for { $cost } guilders.
        [coat-of-arms] Use { $privilege } for a coat of arms worth { $prestige }.
        [letter-of-nobility] Use { $privilege } for a letter of nobility worth { $prestige }.
       *[other] Use { $privilege } for a { $use }.
    }
option-forgo = Forgo one privilege for { $prestige } prestige.
option-use-master-builder = Let the master builder erect a { $building } for { $cost } guilders.
option-finish = End your turn; the master builder rests.
option-discard = Discard { $card }.
option-choose-compensation = Take { $compensation }.
option-buy-certificates = Buy any of the { $cards-most } cards, for at most { $cards-limit } guilders together.
option-give-certificate = Give { $card }.

## What was answered

command-bid = { $cards ->
        [one] Bid one card.
       *[other] Bid { $cards } cards.
    }
command-call = Call.
command-pass = Pass.
command-present-certificates = Show { $cards }.
command-take-privilege-card = Take { $card }.
command-use-privilege = { $use-key ->
        [plain] Use { $privilege }.
        [step] { $holder ->
            [nobody] Use { $privilege } for the next step.
           *[other] Use { $privilege } for the next step, with the tile of { $holder }.
        }
        [guilders] Use { $privilege } for guilders.
       *[other] Use { $privilege } for a { $use }.
    }
command-forgo = Forgo a privilege.
command-use-master-builder = Let the master builder erect a { $building }.
command-finish = End the turn.
command-discard = Discard { $card }.
command-choose-compensation = Take { $compensation }.
command-buy-certificates = Buy { $cards }.
command-give-certificate = Give { $card }.

## Refusals

refusal-bid-too-low = Bid at least { $least ->
        [one] one card
       *[other] { $least } cards
    }.
refusal-bid-exceeds-cards = You hold only { $most ->
        [one] one valid card
       *[other] { $most } valid cards
    } for this noble.
refusal-only-jokers = Jokers alone are no bid: at least one certificate of this noble must be among the cards.
refusal-no-bid-to-call = There is no bid yet that you could call.
refusal-card-not-valid = Choose valid cards of your hand: certificates of this noble, and jokers.
refusal-card-not-held = Choose a card that you hold; only who holds none has nothing to give.
refusal-number-is-not-the-bid = { $most ->
        [one] Choose exactly one card, as was bid.
       *[other] Choose exactly { $most } cards, as were bid.
    }
refusal-card-not-face-up = That privilege card does not lie face up.
refusal-privilege-not-on-card = That privilege is not on your card, or no longer.
refusal-privileges-used-up = Both privileges are used or forgone.
refusal-privileges-left = { $uses ->
        [one] Use or forgo the other privilege first.
       *[other] Use or forgo two privileges first.
    }
refusal-use-not-of-this-privilege = That privilege is not used for this.
refusal-last-step-reached = You stand on the last step already.
refusal-step-too-low = You need step { $step } of { $category } for this.
refusal-tile-owned = You own a { $tile } already.
refusal-stack-empty = There is no { $tile } left.
refusal-too-few-guilders = It costs { $cost } guilders, and you have { $guilders }.
refusal-no-card-to-draw = There is no card left to draw.
refusal-tile-in-supply = A tile of that step lies in the supply: nobody loses his.
refusal-not-a-holder = Name a player who holds the tile of your next step.
refusal-not-a-compensation = Take guilders or prestige.
refusal-no-master-builder = You own no master builder.
refusal-master-builder-used = Your master builder has built this turn.
refusal-building-not-possible = A master builder erects a church or a cathedral.
refusal-card-not-dealt = Buy only cards that were dealt to you.
refusal-prices-exceed-guilders = Those cards cost { $sum } guilders together; you have { $limit }.

## Things

key-nothing = nothing
key-trade = Trade
key-nobility = Nobility
key-office = Office
key-money = Money
key-prestige-6 = 6 Prestige
key-prestige-7 = 7 Prestige
key-draw = Draw
key-minter = minter
key-master-builder = master builder
key-coat-of-arms = coat of arms
key-letter-of-nobility = letter of nobility
key-church = church
key-cathedral = cathedral
key-plain = what it says
key-step = next step
key-guilders = 100 guilders
key-prestige = 1 prestige
key-trade-nobility-office = Trade/Nobility/Office
key-trade-trade-prestige-7 = Trade/Trade/7 Prestige
key-nobility-nobility-draw = Nobility/Nobility/Draw
key-money-office-office = Money/Office/Office
key-money-trade-nobility = Money/Trade/Nobility
key-nobility-prestige-6-office = Nobility/6 Prestige/Office
key-trade-office-draw = Trade/Office/Draw
key-money-prestige-6-office = Money/6 Prestige/Office
key-money-nobility-draw = Money/Nobility/Draw
key-trade-prestige-7-draw = Trade/7 Prestige/Draw

## Prestige

source-privilege = prestige privileges
source-forgone = privileges forgone
source-compensation = lost steps
source-round = rank, coats of arms and letters
