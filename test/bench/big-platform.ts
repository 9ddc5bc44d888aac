import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APP, BIG, EMPTY, SPOKEN, writeBigWorld } from './big-world.ts';
import { HttpConnection } from './http-connection.ts';
import { startPinned } from './pinned-server.ts';
import { mostResidentBytes, processorMs, residentBytes } from './process-facts.ts';
import { median, percentile } from './statistics.ts';

/** What is measured on a platform with a state of 10,000 users, 1,000 guilds and 100,000 messages. */
export const BIG_ROWS = [
  ['start with 100,000 messages', 'ms', '≤ 3,000'],
  ['memory then', 'MiB', '≤ 350'],
  ['message create, empty platform, p50', 'ms'],
  ['message create, p50', 'ms'],
  ['message create ÷ empty', '×', '≤ 1.2'],
  ['index of 100,000 messages', 'ms'],
  ['search, worst of the queries, p50', 'ms', '≤ 50'],
  ['search by a rare word, p50', 'ms'],
  ['1,000 mixed requests a second, p50', 'ms'],
  ['1,000 mixed requests a second, p99', 'ms', '≤ 25'],
  ['their processor time, of one processor', '%'],
  ['memory after all of that', 'MiB', '≤ 350'],
  ['export to a file', 'ms'],
  ['export, most memory above before', 'MiB'],
  ['import of it', 'ms'],
  ['import, most memory above before', 'MiB'],
] as const satisfies readonly (readonly [name: string, unit: string, goal?: string])[];

type Note = (name: (typeof BIG_ROWS)[number][0], value: number) => void;

const DIST = new URL('../../dist/', import.meta.url);
const BOT = `Bot ${Buffer.from(APP).toString('base64url')}.emulator.bot`;
const CREATES = 400;
const SEARCHES = 15;
const RATE = 1000;
const MIXED_MS = 5000;
const CONNECTIONS = 32;
const MIB = 2 ** 20;

const SERVE = `
const { startEmulator } = await import(${JSON.stringify(new URL('testing.js', DIST).href)});
const { api, env } = await startEmulator({ fixture: process.argv[1] });
process.stdout.write(JSON.stringify({ api, env }) + '\\n');
`;

/** A platform in a process of its own. */
export interface Started {
  readonly url: URL;
  readonly env: NodeJS.ProcessEnv;
  readonly pid: number;
  /** From the start of the process. */
  readonly ms: number;
  readonly end: () => Promise<void>;
}

/** All of it, once. */
export async function measureBig(note: Note): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-bench-'));
  const servers: Started[] = [];
  try {
    const [few, many] = [join(folder, 'few.jsonl'), join(folder, 'many.jsonl')];
    writeBigWorld(few, EMPTY);
    writeBigWorld(many);
    const big = await start(many);
    servers.push(big);
    note('start with 100,000 messages', big.ms);
    note('memory then', residentBytes(big.pid) / MIB);
    const empty = await start(few);
    servers.push(empty);
    await measureCreates(note, empty, big);
    await empty.end();
    await measureSearches(note, big);
    await measureMixed(note, big);
    note('memory after all of that', residentBytes(big.pid) / MIB);
    const file = join(folder, 'again.jsonl');
    for (const [verb, label] of [
      ['export', 'export to a file'],
      ['import', 'import of it'],
    ] as const) {
      const before = residentBytes(big.pid);
      note(label, await command(big.env, 'emulator', verb, file));
      note(`${verb}, most memory above before`, Math.max(0, mostResidentBytes(big.pid) - before) / MIB);
    }
  } finally {
    for (const server of servers) await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts one with a state, on a processor of its own where there are several. */
export async function start(fixture: string): Promise<Started> {
  const begin = performance.now();
  const { line, pid, end } = await startPinned(['--input-type=module', '-e', SERVE, fixture]);
  const ms = performance.now() - begin;
  const { api, env } = JSON.parse(line) as { readonly api: string; readonly env: NodeJS.ProcessEnv };
  return { url: new URL(api), env: { ...process.env, ...env }, pid, ms, end };
}

async function command(env: NodeJS.ProcessEnv, ...words: readonly string[]): Promise<number> {
  const begin = performance.now();
  const program = new URL('footbridge.js', DIST).pathname;
  const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`footbridge ${words.join(' ')} ended with ${code}`);
  return performance.now() - begin;
}

const messageOf = (index: number): string => JSON.stringify({ content: `said ${index} at the quay` });
const [CHANNEL = ''] = BIG.channels;

async function measureCreates(note: Note, empty: Started, big: Started): Promise<void> {
  const sides = [
    { connection: await HttpConnection.open(empty.url), times: [] as number[] },
    { connection: await HttpConnection.open(big.url), times: [] as number[] },
  ];
  for (let index = 0; index < CREATES * 2; index += 1) {
    // In turns, and each goes first every other time.
    for (const { connection, times } of index % 2 === 0 ? sides : sides.toReversed()) {
      const took = await timed(() => post(connection, index));
      // The first half warms up.
      if (index >= CREATES) times.push(took);
    }
  }
  for (const { connection } of sides) connection.close();
  const [least = Number.NaN, own = Number.NaN] = sides.map(({ times }) => median(times));
  note('message create, empty platform, p50', least);
  note('message create, p50', own);
  note('message create ÷ empty', own / least);
}

async function post(connection: HttpConnection, index: number): Promise<void> {
  const path = `POST /api/v10/channels/${CHANNEL}/messages`;
  const { status, body } = await connection.ask(path, BOT, messageOf(index));
  if (status !== 200) throw new Error(`a message was answered ${status} ${body.slice(0, 200)}`);
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await task();
  return performance.now() - begin;
}

const { always, half, seldom, once: one } = SPOKEN;
const SEARCH = `/api/v10/guilds/${BIG.guild}/messages/search`;
const RARE = `content=${one}`;
/** Common words, several, by relevance, and each sort of filter. */
const QUERIES = [
  `content=${always}`,
  `content=${half}`,
  `content=${always}%20${half}&slop=3`,
  `content=${always}%20quay&slop=100`,
  `content=${always}&sort_by=relevance`,
  `content=${half}%20again&slop=100&sort_by=relevance&offset=9975`,
  `content=${seldom}&author_id=${BIG.author}`,
  '',
  `author_id=${BIG.author}`,
  'author_type=user',
  'has=link',
  'has=-image',
  'pinned=false&sort_order=asc',
  `mentions=${BIG.author}`,
  'attachment_extension=png',
  `channel_id=${CHANNEL}&min_id=600000000000050000`,
];

async function measureSearches(note: Note, { url }: Started): Promise<void> {
  const connection = await HttpConnection.open(url);
  const search = async (query: string): Promise<number> =>
    (await connection.ask(`GET ${SEARCH}?${query}`, BOT)).status;
  const begin = performance.now();
  while ((await search(RARE)) === 202) await new Promise((resolve) => setTimeout(resolve, 5));
  note('index of 100,000 messages', performance.now() - begin);
  const times = new Map<string, number[]>([RARE, ...QUERIES].map((query) => [query, []]));
  for (let round = 0; round < SEARCHES; round += 1) {
    for (const [query, all] of times) {
      let status = 0;
      const took = await timed(async () => {
        status = await search(query);
      });
      if (status !== 200) throw new Error(`the search ${query} was answered ${status}`);
      if (round > 1) all.push(took);
    }
  }
  connection.close();
  note('search by a rare word, p50', median(times.get(RARE) ?? []));
  note('search, worst of the queries, p50', Math.max(...[...times.values()].map(median)));
}

/** Of twenty requests: eleven look, six write, two change, and one searches every hundredth time. */
function requestOf(index: number): readonly [what: string, body?: string] {
  const [channel = ''] = BIG.channels.slice(index % BIG.channels.length);
  const at = `/api/v10/channels/${channel}`;
  const old = `600000000000${String((index * 37) % 100_000).padStart(6, '0')}`;
  const of = `/api/v10/channels/${BIG.channels[((index * 37) % 100_000) % BIG.channels.length]}/messages/${old}`;
  if (index % 100 === 99) return [`GET ${SEARCH}?content=${half}`];
  const kind = index % 20;
  if (kind < 4) return [`GET ${at}/messages?limit=50`];
  if (kind < 7) return [`GET ${of}`];
  if (kind < 9) return [`GET /api/v10/guilds/${BIG.guild}`];
  if (kind < 11) return ['GET /api/v10/users/@me'];
  if (kind < 17) return [`POST ${at}/messages`, messageOf(index)];
  if (kind < 19) return [`PUT ${of}/reactions/%F0%9F%8C%8A/@me`];
  return [`GET /api/v10/guilds/${BIG.guild}/members/${BIG.author}`];
}

/** Asks at their times, whether or not what was asked before is answered: who waits for a place waits in the figure. */
async function measureMixed(note: Note, { url, pid }: Started): Promise<void> {
  const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => HttpConnection.open(url)));
  const all = [...free];
  const waiting: (() => void)[] = [];
  const times: number[] = [];
  const count = (MIXED_MS / 1000) * RATE;
  const before = processorMs(pid);
  const begin = performance.now();
  const ask = async (index: number): Promise<void> => {
    const due = begin + (index * 1000) / RATE;
    if (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const connection = free.pop() as HttpConnection;
    const [what, body] = requestOf(index);
    const { status } = await connection.ask(what, BOT, body);
    free.push(connection);
    waiting.shift()?.();
    if (status !== 200 && status !== 204) throw new Error(`${what} was answered ${status}`);
    // The first second warms up.
    if (index >= RATE) times.push(performance.now() - due);
  };
  const asked: Promise<void>[] = [];
  while (asked.length < count) {
    const due = Math.min(count, ((performance.now() - begin) / 1000) * RATE);
    while (asked.length < due) asked.push(ask(asked.length));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(asked);
  note('their processor time, of one processor', ((processorMs(pid) - before) / MIXED_MS) * 100);
  for (const connection of all) connection.close();
  note('1,000 mixed requests a second, p50', median(times));
  note('1,000 mixed requests a second, p99', percentile(times, 99));
}
