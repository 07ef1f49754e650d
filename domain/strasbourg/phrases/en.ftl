# The sentences of Strasbourg.

## What happens

game-began = { $viewer ->
        [nobody] The game begins. { $first } is first player; the round cards lie in the order { $cards }, with { $buildings }.
       *[other] The game begins. { $first } is first player; the round cards lie in the order { $cards }, with { $buildings }. The tasks dealt to { $viewer }: { $tasks }.
    }
tasks-chosen = { $tasks-count ->
        [0] { $seat } has chosen tasks.
       *[other] { $seat } keeps: { $tasks }.
    }
round-began = Round { $round } begins.
card-drawn = { $card ->
        [none] { $seat } draws a card.
       *[other] { $seat } draws a { $card }.
    }
stacks-laid = { $stacks-count ->
        [0] { $seat } lays down stacks of { $sizes }.
       *[other] { $seat } lays down { $stacks }.
    }
step-began = { $step ->
        [A] Step A: nobility and church.
        [B] Step B: { $guild }.
        [D] Step D: { $guild }.
        [F] Step F: { $guild }.
        [H] Step H: a chapel.
        [I] Step I: a building.
       *[other] Step { $step }: merchants.
    }
flipped = { $seat } flips { $cards }.
passed = { $seat } passes.
waited = { $seat } spends a privilege and waits.
ranked = The order is { $seats }.
figure-moved = { $seat } becomes first player.
chair-taken = { $former ->
        [nobody] { $seat } takes the seat of the { $chair } in the council.
       *[other] { $seat } takes the seat of the { $chair } in the council from { $former }.
    }
goods-taken = { $seat } gets { $goods }.
member-placed = { $price ->
        [0] { $seat } places a member on { $field }.
       *[other] { $seat } pays { $price } and places a member on { $field }.
    }
declined = { $rule ->
        [STR-314] { $seat } puts no card back.
       *[other] { $seat } places no member.
    }
goods-sold = { $goods-count ->
        [0] { $seat } sells nothing.
       *[other] { $seat } sells { $goods } for { $money }.
    }
card-put-back = { $seat } puts a { $card } back under the deck.
flipped-left = The flipped cards leave the game.
stacks-lapsed = { $stacks ->
        [one] One unused stack of { $seat } leaves the game unseen.
       *[other] { $stacks } unused stacks of { $seat } leave the game unseen.
    }
chapel-built = { $seat } builds { $site }.
building-built = { $seat } puts the { $building } on { $site }.
privileges-granted = Most members in the council: a privilege for { $seats }.
scored = { $source-key ->
        [council] Prestige for members in the council, seat by seat: { $points }.
        [members] Prestige for members in the city, seat by seat: { $points }.
        [chapels] Prestige for members at chapels, seat by seat: { $points }.
       *[other] Prestige for members next to buildings, seat by seat: { $points }.
    }
privileges-scored = Prestige for privileges, seat by seat: { $points }.
tasks-scored = The tasks of { $seat }: { $tasks }.
value-task-score = { $met ->
        [yes] { $task } (met, { $points })
       *[no] { $task } (missed, { $points })
    }
value-stack = ({ $cards })

## Questions

question-choosing-tasks = Which tasks do you keep?
question-planning = Do you draw one more card, or split your cards into stacks?
question-deciding = { $step ->
        [A] Nobility and church: do you flip a stack?
        [B] The { $guild }: do you flip a stack?
        [D] The { $guild }: do you flip a stack?
        [F] The { $guild }: do you flip a stack?
       *[other] The merchants: do you flip a stack?
    }
question-putting-back = Which card do you put back under your deck?
question-placing = On which field of the { $guild } do you place a member?
question-apprentice = Do you take goods of the { $guild }, or place a member?
question-selling = Which goods do you sell?
question-placing-chapel = Which chapel do you build?
question-placing-building = Where do you put the { $building }?

## What may be answered

option-keep = Keep { $tasks-least } to { $tasks-most } of your tasks.
option-draw = Draw one more card.
option-make-stacks = Split all your cards into stacks.
option-flip = Flip the stack { $values } (worth { $worth }).
option-pass = Pass.
option-wait = Spend a privilege and wait.
option-place = Place a member on { $field }.
option-take-goods = Take the goods.
option-decline = { $what-key ->
        [card] Put no card back.
       *[member] Place no member.
    }
option-sell = { $goods-most ->
        [0] Sell nothing.
       *[other] Sell up to { $goods-most } of your goods.
    }
option-put-back = Put back { $card }.
option-build-chapel = Build { $site }.
option-build = Put the building on { $site }.

## What was answered

command-keep = Keep { $tasks }.
command-draw = Draw one more card.
command-make-stacks = Make the stacks { $stacks }.
command-flip = Flip { $cards }.
command-pass = Pass.
command-wait = Spend a privilege and wait.
command-place = Place a member on { $field }.
command-take-goods = Take the goods.
command-decline = Leave it.
command-sell = Sell { $goods }.
command-put-back = Put back a { $card }.
command-build-chapel = Build { $site }.
command-build = Put the building on { $site }.

## Refusals

refusal-task-not-dealt = Keep only tasks that were dealt to you, each once.
refusal-keep-one-to-five = Keep at least { $least } and at most { $most } tasks.
refusal-deck-empty = Your deck is empty; it is never refilled.
refusal-cards-not-all-split = Every card you drew goes into exactly one stack.
refusal-empty-stack = A stack has at least one card.
refusal-stack-not-held = You have no such stack.
refusal-no-privilege = You have no privilege to spend.
refusal-all-others-decided = All others have decided; to wait would do nothing.
refusal-card-not-flipped = Put back a card of the stack that you flipped.
refusal-goods-not-held = You do not have these goods.
refusal-no-such-field = There is no such field; place on a free field of the { $guild }.
refusal-field-taken = A member stands on { $field } already.
refusal-field-of-another-guild = { $field } does not belong to the { $guild }.
refusal-field-too-dear = { $field } costs { $price }; you have { $money }.
refusal-no-such-chapel-site = There is no such site for a chapel.
refusal-chapel-site-taken = A chapel stands there already.
refusal-no-such-building-site = There is no such building site.
refusal-building-site-taken = A building stands there already.

## Points

source-council = members in the council
source-members = members in the city
source-chapels = chapels
source-buildings = buildings
source-privileges = privileges
source-tasks = tasks

## Things

key-influence-1 = 1
key-influence-2 = 2
key-influence-3 = 3
key-influence-4 = 4
key-influence-5 = 5
key-influence-6 = 6
key-nobility = nobility
key-church = church
key-merchants = merchants
key-smiths = smiths
key-vintners = vintners
key-shoemakers = shoemakers
key-butchers = butchers
key-bakers = bakers
key-weapon = a weapon
key-barrel = a barrel
key-shoe = a shoe
key-meat = meat
key-bread = bread
key-market-stall = market stall
key-fountain = fountain
key-inn = inn
key-bathhouse = bathhouse
key-town-hall = town hall
key-round-card-1 = smiths-bakers-vintners
key-round-card-2 = vintners-smiths-shoemakers
key-round-card-3 = shoemakers-vintners-butchers
key-round-card-4 = butchers-shoemakers-bakers
key-round-card-5 = bakers-butchers-smiths
key-task-market-stall = two at the market stall
key-task-fountain = two at the fountain
key-task-inn = two at the inn
key-task-bathhouse = two at the bathhouse
key-task-town-hall = two at the town hall
key-task-smiths = three among the smiths
key-task-vintners = three among the vintners
key-task-shoemakers = three among the shoemakers
key-task-butchers = three among the butchers
key-task-bakers = three among the bakers
key-task-one-building = three at one building
key-task-four-buildings = one at each of four buildings
key-task-chapels = five at chapels
key-task-wall = six at the wall
key-task-corners = two in the corners
key-task-line = three in a line
key-task-diagonal = three in a diagonal
key-task-square = four in a square
key-task-each-guild = two in each guild
key-task-nobility-or-church = nobility or church
key-task-council = members in the council
key-task-most-members = most members in the city
key-task-most-money = most money
key-task-goods = three kinds of goods
key-task-first-player = first player
