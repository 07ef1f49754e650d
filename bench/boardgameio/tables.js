// Tables at a boardgame.io server: made and joined by the lobby's REST API, played over raw sockets of socket.io.
//
// Not boardgame.io's own Client: it would run the game's reducer for every move, and the load must not be the bottleneck.
import { setTimeout as sleep } from 'node:timers/promises';
import { Manager } from 'socket.io-client';
import { GAME, LANES, answer, lane } from './game.js';

const ANSWER_WITHIN = 10_000;

async function post(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function within(promise, what) {
  const late = new AbortController();
  const clock = sleep(ANSWER_WITHIN, null, { signal: late.signal }).then(() => {
    throw new Error(`no ${what} within ${ANSWER_WITHIN} ms`);
  });
  clock.catch(() => {}); // when it is called off
  return Promise.race([promise, clock]).finally(() => late.abort());
}

/** Sockets of a run: each on a connection of its own, or all on one, where each needs a namespace of its own. */
export function opener(url, connections) {
  const options = { transports: ['websocket'], reconnection: false };
  const shared = connections === 'one' ? new Manager(url, options) : null;
  let opened = 0;
  return async () => {
    if (shared && opened === LANES) throw new Error(`one connection holds ${LANES} sockets at most`);
    const socket = shared
      ? shared.socket(`/${lane(opened)}`)
      : new Manager(url, options).socket(`/${GAME}`);
    opened += 1;
    const connected = new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    socket.connect();
    await within(connected, 'connection');
    socket.on('disconnect', (reason) => {
      if (reason !== 'io client disconnect') throw new Error(`the server went away: ${reason}`);
    });
    return socket;
  };
}

/** One table with one move in flight at most. Its sockets outlast its matches: `renew` takes them to a new one. */
export class Table {
  #url;
  #seats;
  #sockets;
  #credentials = [];
  #matchID = null;
  #state = null;
  #seen = new Map();
  #waiting = null;

  static async open(url, seats, audience, open) {
    const sockets = [];
    for (let seat = 0; seat < (audience === 'table' ? seats : 1); seat += 1) sockets.push(await open());
    return new Table(url, seats, sockets);
  }

  constructor(url, seats, sockets) {
    this.#url = url;
    this.#seats = seats;
    this.#sockets = sockets;
    for (const socket of sockets) {
      socket.on('update', (matchID, state) => {
        if (matchID !== this.#matchID) return;
        // Every seat is told of every move: what this socket had not seen before it moved is no answer to its own move.
        const answers = socket === this.#waiting?.socket && this.#seen.get(socket) === this.#state._stateID;
        this.#seen.set(socket, state._stateID);
        if (answers) this.#answered(state);
      });
    }
  }

  async renew() {
    this.#waiting = null;
    const lobby = `${this.#url}/games/${GAME}`;
    const { matchID } = await post(`${lobby}/create`, { numPlayers: this.#seats });
    for (let seat = 0; seat < this.#seats; seat += 1) {
      const joined = await post(`${lobby}/${matchID}/join`, { playerID: String(seat), playerName: `seat ${seat}` });
      this.#credentials[seat] = joined.playerCredentials;
    }
    this.#matchID = matchID;
    for (const [seat, socket] of this.#sockets.entries()) {
      // Answered by the state first; the match's data follows once the server has this socket on its list for updates.
      const listed = new Promise((resolve) => socket.once('matchData', resolve));
      this.#state = (await this.#sync(socket, seat)).state;
      this.#seen.set(socket, this.#state._stateID);
      await within(listed, 'match data');
    }
  }

  /** Moves for the seat whose turn it is; `done(accepted)` is called when that seat's socket has the server's update. */
  move(done) {
    const seat = this.#state.ctx.currentPlayer;
    const [type, args] = answer(this.#state.G);
    const credentials = this.#credentials[seat];
    const action = { type: 'MAKE_MOVE', payload: { type, args, playerID: seat, credentials } };
    const socket = this.#sockets[seat] ?? this.#sockets[0];
    this.#waiting = { socket, done };
    socket.emit('update', action, this.#state._stateID, this.#matchID, seat);
  }

  /** How many moves the server has stored, by its state and by its log. */
  async stored() {
    const { state, log } = await this.#sync(this.#sockets[0], 0);
    return { state: state._stateID, log: log.filter((entry) => !entry.automatic).length };
  }

  #answered(state) {
    const { done } = this.#waiting;
    // An illegal move is answered, too, with the state as it was.
    const accepted = state._stateID === this.#state._stateID + 1;
    this.#waiting = null;
    this.#state = state;
    done(accepted);
  }

  async #sync(socket, seat) {
    const synced = new Promise((resolve) => socket.once('sync', (_, info) => resolve(info)));
    socket.emit('sync', this.#matchID, String(seat), this.#credentials[seat], this.#seats);
    return within(synced, 'sync');
  }
}
