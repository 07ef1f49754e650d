// boardgame.io's own server with one game, on loopback: `node server.js --storage memory|flatfile --dir DIR --port 0`.
// Prints `ready PORT PID` when it serves.
import { parseArgs } from 'node:util';

// Read when the modules are loaded: quiet, and the production builds of immer and redux.
process.env.NODE_ENV = 'production';
const { default: boardgame } = await import('boardgame.io/dist/cjs/server.js');
const { GAME, LANES, auction, lane } = await import('./game.js');

const { values } = parseArgs({
  options: {
    storage: { type: 'string', default: 'memory' },
    dir: { type: 'string' },
    port: { type: 'string', default: '0' },
  },
});

function storage() {
  if (values.storage === 'memory') return undefined; // boardgame.io's default, which it does not export
  if (values.storage !== 'flatfile') throw new Error(`--storage memory or flatfile, not ${values.storage}`);
  if (!values.dir) throw new Error('--storage flatfile needs --dir');
  return new boardgame.FlatFile({ dir: values.dir });
}

delete process.env.FLATFILE_DIR; // would make the default storage another one
const names = [GAME, ...Array.from({ length: LANES }, (_, number) => lane(number))];
const server = boardgame.Server({ games: names.map(auction), db: storage(), origins: [boardgame.Origins.LOCALHOST] });

// `port` is handed to node's listen as it is, so its options can be given: the only way to name the address.
const { appServer } = await server.run({ port: { host: '127.0.0.1', port: Number(values.port) } });
console.log(`ready ${appServer.address().port} ${process.pid}`);
