// The gateway: a library logs in, what changes over HTTP is told, a thousand rest, a hundred are cut again and again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INTENTS } from '../../src/emulator/api/dispatch.ts';
import { Random } from '../fuzz/random.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { GatewayConnection } from '../helpers/gateway-connection.ts';
import { ResumingBot } from '../helpers/resuming-bot.ts';
import { type Started, start } from './big-platform.ts';
import { APP, BIG, TEN_GUILDS, TEN_THOUSAND_MEMBERS, writeBigWorld } from './big-world.ts';
import { HttpConnection } from './http-connection.ts';
import { processorMs, residentBytes } from './process-facts.ts';
import { median, percentile } from './statistics.ts';

/** What is measured at the gateway. */
export const GATEWAY_ROWS = [
  ['discord.js, login to ready, 10 guilds', 'ms', '≤ 500'],
  ['the same again, in the same process', 'ms', '≤ 500'],
  ['HTTP change to the socket, p50', 'ms', '≤ 3'],
  ['HTTP change to the socket, p99', 'ms'],
  ['1,000 idle sessions, memory of each', 'KiB', '≤ 20'],
  ['100 sessions, 1,000 deliveries a second', '/s'],
  ['of these lost, twice or out of order', '', '≤ 0'],
  ['of these, lines cut and resumed', ''],
  ['from the request to a socket, cut ones too, p50', 'ms'],
  ['from the request to a socket, cut ones too, p99', 'ms'],
  ['their processor time of one processor', '%'],
  ['op 8, 10,000 members, to the last chunk', 'ms', '≤ 1,000'],
] as const satisfies readonly (readonly [name: string, unit: string, goal?: string])[];

type Note = (name: (typeof GATEWAY_ROWS)[number][0], value: number) => void;

const TOKEN = `${Buffer.from(APP).toString('base64url')}.emulator.bot`;
const MESSAGES = INTENTS.GUILD_MESSAGES | INTENTS.MESSAGE_CONTENT;
const CHANGES = 600;
const IDLE = 1000;
const CROWD = 100;
const MESSAGES_PER_SECOND = 10;
const CROWD_MS = 10_000;
/** A line of the crowd is cut so often (ms), and gone for at most so long. */
const CUT_MS = 100;
const MOST_GONE_MS = 1000;
const [CHANNEL = ''] = BIG.channels;

/** Logs a bot of discord.js in twice, and prints how long each took; loading the library is not counted. */
const LOGIN = `
const { Client, GatewayIntentBits } = await import('discord.js');
const [api, token] = process.argv.slice(1);
for (const _ of [1, 2]) {
  const { Guilds, GuildMembers, GuildMessages, MessageContent } = GatewayIntentBits;
  const client = new Client({ intents: [Guilds, GuildMembers, GuildMessages, MessageContent], rest: { api } });
  const begin = performance.now();
  const ready = new Promise((resolve) => client.once('clientReady', resolve));
  await client.login(token);
  await ready;
  process.stdout.write(performance.now() - begin + ' ' + client.guilds.cache.size + '\\n');
  await client.destroy();
}
process.exit();
`;

/** All of it, once. */
export async function measureGateway(note: Note): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-bench-'));
  const servers: Started[] = [];
  const serve = async (size: typeof TEN_GUILDS): Promise<Started> => {
    const file = join(folder, `${servers.length}.jsonl`);
    writeBigWorld(file, size);
    const server = await start(file);
    servers.push(server);
    return server;
  };
  try {
    const ten = await serve(TEN_GUILDS);
    await measureLogin(note, ten);
    await measureChanges(note, ten);
    await measureCrowd(note, ten);
    await measureIdle(note, join(folder, '0.jsonl'));
    await measureMembers(note, await serve(TEN_THOUSAND_MEMBERS));
  } finally {
    for (const server of servers) await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function apiOf({ url }: Pick<Started, 'url'>): string {
  return `${url.origin}/api`;
}

async function measureLogin(note: Note, { url }: Started): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', LOGIN, url.href, TOKEN], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: new URL('../..', import.meta.url),
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  await once(child, 'close');
  const [first, again] = text
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  if (first?.[1] !== 10 || again?.[1] !== 10) throw new Error(`discord.js has not all guilds: ${text}`);
  note('discord.js, login to ready, 10 guilds', first[0] ?? Number.NaN);
  note('the same again, in the same process', again[0] ?? Number.NaN);
}

async function post(connection: HttpConnection, content: string): Promise<void> {
  const what = `POST /api/v10/channels/${CHANNEL}/messages`;
  const { status, body } = await connection.ask(what, `Bot ${TOKEN}`, JSON.stringify({ content }));
  if (status !== 200) throw new Error(`a message was answered ${status} ${body.slice(0, 200)}`);
}

async function measureChanges(note: Note, server: Started): Promise<void> {
  const gateway = new GatewayConnection(apiOf(server));
  await gateway.identify(TOKEN, { intents: MESSAGES });
  const connection = await HttpConnection.open(server.url);
  const times: number[] = [];
  for (let index = 0; index < CHANGES; index += 1) {
    const told = new Promise<number>((resolve) => {
      gateway.socket.once('message', () => resolve(performance.now()));
    });
    const begin = performance.now();
    const answered = post(connection, `change ${index}`);
    const took = (await told) - begin;
    await answered;
    // The first third warms up.
    if (index >= CHANGES / 3) times.push(took);
  }
  connection.close();
  await gateway.cut();
  note('HTTP change to the socket, p50', median(times));
  note('HTTP change to the socket, p99', percentile(times, 99));
}

/** In the program itself, which sizes its heap for a long life; in a test's process the heap is the test's. */
async function measureIdle(note: Note, fixture: string): Promise<void> {
  const args = ['--consent', 'allow', '--http-port', '0', '--ws-port', 'off', '--fixture', fixture];
  const daemon = await startDaemon({ args });
  const open = (count: number): Promise<GatewayConnection[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const connection = new GatewayConnection(daemon.ready.api);
        await connection.identify(TOKEN);
        return connection;
      }),
    );
  try {
    // What the first ones load stays for all of them.
    await Promise.all((await open(25)).map((connection) => connection.cut()));
    await rest();
    const before = residentBytes(daemon.pid);
    const all: GatewayConnection[] = [];
    while (all.length < IDLE) all.push(...(await open(25)));
    await rest();
    note('1,000 idle sessions, memory of each', (residentBytes(daemon.pid) - before) / IDLE / 1024);
    await Promise.all(all.map((connection) => connection.cut()));
  } finally {
    await daemon.kill();
  }
}

const rest = (ms = 3000): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function measureCrowd(note: Note, server: Started): Promise<void> {
  const sent: number[] = [];
  const times: number[] = [];
  const heard = (content: string): void => {
    const at = sent[Number(content)];
    if (at !== undefined) times.push(performance.now() - at);
  };
  const identity = { token: TOKEN, intents: MESSAGES };
  const bots: ResumingBot[] = [];
  while (bots.length < CROWD) bots.push(await new ResumingBot(apiOf(server), identity, heard).start());
  const connection = await HttpConnection.open(server.url);
  const before = processorMs(server.pid);
  const begin = performance.now();
  let cuts = 0;
  const speak = async (): Promise<void> => {
    const count = (CROWD_MS / 1000) * MESSAGES_PER_SECOND;
    while (sent.length < count) {
      const due = begin + (sent.length * 1000) / MESSAGES_PER_SECOND;
      await rest(Math.max(0, due - performance.now()));
      sent.push(performance.now());
      await post(connection, String(sent.length - 1));
    }
  };
  const lines = new Map<ResumingBot, Promise<void>>();
  const cut = async (): Promise<void> => {
    const random = new Random(begin);
    while (performance.now() - begin < CROWD_MS) {
      const one = bots[random.int(CROWD)];
      if (one === undefined) continue;
      const gone = random.int(MOST_GONE_MS);
      lines.set(
        one,
        (lines.get(one) ?? Promise.resolve()).then(() => one.cut(gone)),
      );
      cuts += 1;
      await rest(CUT_MS);
    }
  };
  await Promise.all([speak(), cut()]);
  const seconds = (performance.now() - begin) / 1000;
  await Promise.all(lines.values());
  // One more that all of them hear: nothing is on its way any more.
  await post(connection, 'last');
  const end = performance.now() + 10_000;
  while (bots.some((each) => each.heard.at(-1) !== 'last') && performance.now() < end) await rest(10);
  note('their processor time of one processor', ((processorMs(server.pid) - before) / CROWD_MS) * 100);
  const wanted = [...sent.keys()].map(String);
  const faults = bots.reduce((sum, each) => sum + each.faults.length + differences(each.heard, wanted), 0);
  note('of these lost, twice or out of order', faults);
  note('of these, lines cut and resumed', cuts);
  note('100 sessions, 1,000 deliveries a second', (sent.length * CROWD) / seconds);
  note('from the request to a socket, cut ones too, p50', median(times));
  note('from the request to a socket, cut ones too, p99', percentile(times, 99));
  connection.close();
  await Promise.all(bots.map((each) => each.end()));
}

/** In how many places what was heard is not what was said. */
function differences(heard: readonly string[], said: readonly string[]): number {
  const whole = [...said, 'last'];
  const wrong = whole.filter((content, index) => heard[index] !== content).length;
  return wrong + Math.max(0, heard.length - whole.length);
}

async function measureMembers(note: Note, server: Started): Promise<void> {
  const gateway = new GatewayConnection(apiOf(server));
  const intents = INTENTS.GUILDS | INTENTS.GUILD_MEMBERS;
  const { d } = await gateway.identify(TOKEN, { intents });
  await gateway.event('GUILD_CREATE');
  const begin = performance.now();
  gateway.send({ op: 8, d: { guild_id: d.guilds[0].id, query: '', limit: 0, nonce: 'all' } });
  const sizes: number[] = [];
  for (let count = 1; sizes.length < count; ) {
    const chunk = (await gateway.event('GUILD_MEMBERS_CHUNK')).d;
    sizes.push(chunk.members.length);
    count = chunk.chunk_count;
  }
  note('op 8, 10,000 members, to the last chunk', performance.now() - begin);
  if (sizes.length !== 10 || sizes.some((size) => size !== 1000))
    throw new Error(`chunks of ${sizes.join()}`);
  await gateway.cut();
}
