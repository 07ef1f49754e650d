// The load on a boardgame.io server, in rounds at command, so that a benchmark can interleave them with others'.
//
//   node load.js --port P [--connections one|each] [--audience table|mover] [--tables 64] [--seats 3]
//                [--in-flight 1] [--seconds 3] [--warm 1]
//
// Sets up, plays for --warm seconds, renews its tables and prints `ready`. Then one line out for each line in:
//   go [SECONDS [IN_FLIGHT]]  keeps so many moves in flight, each at a table of its own  -> one line of JSON
//   fresh                     all tables begin anew, for logs grow and cost               -> ready
//   check                     asks the server how many moves it stored since `fresh`      -> one line of JSON
//   end, or the end of input  exits
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Table, opener } from './tables.js';

const UNANSWERED_AFTER = 5_000;

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    connections: { type: 'string', default: 'each' },
    audience: { type: 'string', default: 'table' },
    tables: { type: 'string', default: '64' },
    seats: { type: 'string', default: '3' },
    'in-flight': { type: 'string', default: '1' },
    seconds: { type: 'string', default: '3' },
    warm: { type: 'string', default: '1' },
  },
});
if (!values.port) throw new Error('--port is needed');
if (!['one', 'each'].includes(values.connections)) throw new Error('--connections one or each');
if (!['table', 'mover'].includes(values.audience)) throw new Error('--audience table or mover');

const url = `http://127.0.0.1:${values.port}`;
const open = opener(url, values.connections);
const tables = [];
let idle = [];
let moves = 0;

for (let number = 0; number < Number(values.tables); number += 1) {
  tables.push(await Table.open(url, Number(values.seats), values.audience, open));
}

async function fresh() {
  for (const table of tables) await table.renew();
  idle = [...tables];
  moves = 0;
}

/** The moves of one round: latencies in microseconds, in the order of their answers, and how many were refused. */
function play(seconds, inFlight) {
  const taken = [];
  let flying = 0;
  let refused = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  return new Promise((resolve) => {
    let last = start;
    const finish = () => {
      clearTimeout(clock);
      resolve({ taken, errors: refused + flying, seconds: (last - start) / 1000 });
    };
    // boardgame.io does not answer a move that comes out of turn or on a stale state: such a table is given up.
    const clock = setTimeout(finish, seconds * 1000 + UNANSWERED_AFTER);
    const begin = () => {
      const table = idle.shift(); // the longest idle, so that all logs grow alike
      const sent = performance.now();
      flying += 1;
      table.move((accepted) => {
        last = performance.now();
        flying -= 1;
        if (accepted) {
          taken.push((last - sent) * 1000);
          idle.push(table);
        } else {
          refused += 1;
        }
        if (last < end && idle.length > 0) begin();
        else if (flying === 0) finish();
      });
    };
    for (let number = 0; number < inFlight; number += 1) begin();
  });
}

async function go(seconds, inFlight) {
  if (!(seconds > 0) || !(inFlight >= 1)) throw new Error('go SECONDS IN_FLIGHT');
  if (inFlight > idle.length) throw new Error(`${inFlight} in flight need as many tables, not ${idle.length}`);
  const before = process.cpuUsage();
  const round = await play(seconds, inFlight);
  const { user, system } = process.cpuUsage(before);
  moves += round.taken.length;
  const sorted = Float64Array.from(round.taken).sort();
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return {
    requests: sorted.length,
    seconds: Number(round.seconds.toFixed(4)),
    p50_us: at(0.5),
    p99_us: at(0.99),
    errors: round.errors,
    client_cpu_s: Number(((user + system) / 1e6).toFixed(3)),
  };
}

// Flatfile answers before it has written, so the last moves may need a moment until they are stored.
async function check() {
  let state = 0;
  let log = 0;
  for (let attempt = 0; attempt < 20 && !(state === moves && log === moves); attempt += 1) {
    await sleep(100);
    const stored = await Promise.all(tables.map((table) => table.stored()));
    state = stored.reduce((sum, one) => sum + one.state, 0);
    log = stored.reduce((sum, one) => sum + one.log, 0);
  }
  return { moves, stored_states: state, stored_log: log, agree: state === moves && log === moves };
}

await fresh();
if (Number(values.warm) > 0) {
  await go(Number(values.warm), Math.min(16, tables.length));
  await fresh();
}
console.log('ready');

for await (const line of createInterface({ input: process.stdin })) {
  const [word, seconds = values.seconds, inFlight = values['in-flight']] = line.trim().split(/\s+/);
  if (word === 'end') break;
  else if (word === 'go') console.log(JSON.stringify(await go(Number(seconds), Number(inFlight))));
  else if (word === 'check') console.log(JSON.stringify(await check()));
  else if (word === 'fresh') {
    await fresh();
    console.log('ready');
  } else throw new Error(`go, fresh, check or end, not ${word}`);
}
process.exit(0);
