// An endless auction, about as large in state as one of our tables: bid or pass, and the turn goes on.
//
// It is far simpler than a command of Kontor, in boardgame.io's favour: two moves, no agenda, no options listed for the
// seat that is asked, no sentences, no chance drawn. A move compares a few numbers and changes a few. The game's own
// log is boardgame.io's: every move is an entry of it. Undo is off, since its copies of G would double the stored state.
import core from 'boardgame.io/dist/cjs/core.js';

const { INVALID_MOVE, PlayerView } = core;

const COLOURS = ['crimson', 'saffron', 'emerald', 'cobalt', 'violet'];
const OFFICES = ['cathedral', 'counting house', 'mint', 'town hall', 'granary', 'harbour', 'bank', 'mine'];
const HAND = 6;
const PURSE = 100;

const card = (number) => ({ colour: COLOURS[number % COLOURS.length], rank: 1 + (number % 13) });

function setup({ ctx, random }) {
  const cards = random.Shuffle(Array.from({ length: 50 }, (_, number) => card(number)));
  const seats = ctx.playOrder;
  return {
    offices: OFFICES.map((name, number) => ({ name, cost: 4 + number, income: 1 + (number % 3), owner: null })),
    coffers: seats.map(() => ({ money: PURSE, points: 0, privileges: [0, 0, 0, 0], cards: HAND })),
    lot: { number: 0, highest: 0, bidder: null, bidding: seats.map(() => true), bids: seats.map(() => 0) },
    players: Object.fromEntries(seats.map((seat) => [seat, { hand: cards.splice(0, HAND) }])),
    secret: { supply: cards },
  };
}

function bid({ G, playerID }, amount) {
  const { lot, coffers } = G;
  if (!Number.isInteger(amount) || amount <= lot.highest || amount > coffers[playerID].money) return INVALID_MOVE;
  lot.highest = amount;
  lot.bidder = playerID;
  lot.bids[playerID] = amount;
}

function pass({ G, playerID }) {
  const { lot } = G;
  if (lot.bidder === null) return INVALID_MOVE;
  lot.bidding[playerID] = false;
  if (lot.bidding.filter(Boolean).length === 1) award(G);
}

// The buyer's money goes to the others, one coin at a time, so that no seat runs dry however long it lasts.
function award({ lot, coffers, offices }) {
  const buyer = Number(lot.bidder);
  const others = coffers.filter((_, seat) => seat !== buyer);
  coffers[buyer].money -= lot.highest;
  coffers[buyer].points += 1;
  for (let coin = 0; coin < lot.highest; coin += 1) others[(lot.number + coin) % others.length].money += 1;
  offices[lot.number % offices.length].owner = lot.bidder;
  lot.number += 1;
  lot.highest = 0;
  lot.bidder = null;
  lot.bidding.fill(true);
  lot.bids.fill(0);
}

function next({ G, ctx }) {
  for (let step = 1; step <= ctx.numPlayers; step += 1) {
    const seat = (ctx.playOrderPos + step) % ctx.numPlayers;
    if (G.lot.bidding[seat]) return seat;
  }
  return ctx.playOrderPos;
}

/** The auction under one of its names: a name is a namespace of socket.io (see the README about connections). */
export const auction = (name) => ({
  name,
  setup,
  moves: { bid, pass },
  turn: { minMoves: 1, maxMoves: 1, order: { first: ({ ctx }) => ctx.playOrderPos, next } },
  playerView: PlayerView.STRIP_SECRETS,
  disableUndo: true,
});

export const GAME = 'auction';
/** The names under which one connection may hold several sockets, at most this many. */
export const LANES = 512;
export const lane = (number) => `${GAME}-${number}`;

const LIMIT = 8;

/** What the load plays: bids rise one by one to a limit, then all others pass. From the view alone, as a player would. */
export function answer({ lot }) {
  return lot.highest < LIMIT ? ['bid', [lot.highest + 1]] : ['pass', []];
}
