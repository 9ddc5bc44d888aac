// One client library at work, in a process of its own: prints its times (ms) as JSON.
// `node client-run.js LIBRARY FILE`: FILE is what is loaded; the server is found as the library finds one.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const CONNECTIONS = 500;
const ROUND_TRIPS = 2000;
/** Of both, beforehand: what is compiled on the way is no property of the library. */
const WARM_UP = 500;
const CLIENT_ID = '300000000000000001';

interface Connected {
  readonly show: (details: string) => Promise<unknown>;
  readonly end: () => unknown;
}
type Connect = () => Promise<Connected>;
// biome-ignore lint/suspicious/noExplicitAny: the libraries are loaded by path, and not all of them have types
type Library = any;

/** What a program writes to be connected and to show what it does, in each library's own words. */
const libraries: Readonly<Record<string, (library: Library) => Connect>> = {
  Footbridge:
    ({ connect }) =>
    async () => {
      const client = await connect({ clientId: CLIENT_ID });
      return { show: (details) => client.setActivity({ ...activity, details }), end: () => client.close() };
    },
  'discord-rpc':
    ({ Client }) =>
    async () => {
      const client = new Client({ transport: 'ipc' });
      await client.connect(CLIENT_ID);
      return { show: (details) => client.setActivity({ ...flat, details }), end: () => client.destroy() };
    },
  '@xhayper/discord-rpc':
    ({ Client }) =>
    async () => {
      const client = new Client({ clientId: CLIENT_ID });
      await client.connect();
      return {
        show: (details) => client.user.setActivity({ ...flat, details }),
        end: () => client.destroy(),
      };
    },
  'discord-rpc-revamp':
    ({ Client }) =>
    async () => {
      const client = new Client();
      await client.connect({ clientId: CLIENT_ID });
      return { show: (details) => client.setActivity({ ...flat, details }), end: () => client.destroy() };
    },
};

const buttons = [{ label: 'Come along', url: 'https://example.test/come' }];
const activity = {
  state: 'In a boat',
  timestamps: { start: 1_700_000_000_000 },
  assets: { large_image: 'boat', large_text: 'The boat', small_image: 'oar', small_text: 'An oar' },
  party: { id: 'crew', size: [2, 4] },
  buttons,
  instance: true,
};
/** The same, as the others spell it. */
const flat = {
  state: 'In a boat',
  startTimestamp: 1_700_000_000_000,
  largeImageKey: 'boat',
  largeImageText: 'The boat',
  smallImageKey: 'oar',
  smallImageText: 'An oar',
  partyId: 'crew',
  partySize: 2,
  partyMax: 4,
  buttons,
  instance: true,
};

const [name = '', file = ''] = process.argv.slice(2);
const connect = libraries[name]?.(createRequire(import.meta.url)(file));
if (connect === undefined) throw new Error(`There is no library ${name}`);

const ready: number[] = [];
for (let n = 0; n < WARM_UP + CONNECTIONS; n++) {
  const begin = performance.now();
  const { end } = await connect();
  if (n >= WARM_UP) ready.push(performance.now() - begin);
  await end();
  // The server takes leave of the one before: whoever says goodbye would otherwise pay for it at the next connect.
  await sleep(1);
}
const shown: number[] = [];
const { show, end } = await connect();
for (let n = 0; n < WARM_UP + ROUND_TRIPS; n++) {
  const begin = performance.now();
  await show(`Round ${n}`);
  if (n >= WARM_UP) shown.push(performance.now() - begin);
}
await end();
process.stdout.write(JSON.stringify({ ready, shown }), () => process.exit(0));
