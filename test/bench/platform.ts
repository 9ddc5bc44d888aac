// What the offline platform costs: from nothing to its first answer, requests a second of one processor beside the least
// that Node's HTTP can be, and a state of many users out and in. `npm run bench -- platform`
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { BIG_ROWS, measureBig } from './big-platform.ts';
import { GATEWAY_ROWS, measureGateway } from './gateway.ts';
import { type Ask, httpLoad } from './http-load.ts';
import { type PinnedServer, startPinned } from './pinned-server.ts';
import { processorMs } from './process-facts.ts';
import { type Summary, summarize } from './statistics.ts';

/** What {@link measurePlatform} found; times in ms. */
export interface PlatformReport {
  readonly node: string;
  readonly passes: number;
  readonly rows: readonly {
    readonly name: string;
    readonly unit: string;
    readonly figure: Summary;
    readonly goal?: string;
  }[];
}

const LIBRARY = new URL('../../dist/testing.js', import.meta.url).href;
const APP = '300000000000000001';
const REDIRECT = 'http://localhost:3000/callback';
const USERS = 10_000;
/** Of each load: to warm up, and measured (ms). */
const WARM_MS = 700;
const MEASURED_MS = 2000;

/** Prints when it is ready, and what it took; the last is a bot's first request, over a connection of its own. */
const START = `
import { get } from 'node:http';
const begin = performance.now();
const loaded = process.cpuUsage();
const { startEmulator } = await import(${JSON.stringify(LIBRARY)});
const emulator = await startEmulator();
const ready = performance.now();
const used = process.cpuUsage(loaded);
const idle = process.cpuUsage();
process.stdout.write('ready\\n');
const authorization = 'Bot ' + Buffer.from('${APP}').toString('base64url') + '.emulator.bot';
get(emulator.api + '/v10/users/@me', { headers: { authorization }, agent: false }, (response) => {
  response.resume();
  response.on('end', () => {
    const first = performance.now() - ready;
    const ms = ({ user, system }) => (user + system) / 1000;
    const cpu = [ms(used), ms(process.cpuUsage(idle))];
    process.stdout.write(JSON.stringify({ start: ready - begin, first, cpu, status: response.statusCode }) + '\\n');
    process.exit();
  });
});
`;

/** The platform, or with an argument a server that answers all with those bytes. Prints its address. */
const SERVE = `
import { createServer } from 'node:http';
const body = process.argv[1];
if (body === undefined) {
  const { startEmulator } = await import(${JSON.stringify(LIBRARY)});
  process.stdout.write((await startEmulator()).api + '\\n');
} else {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write('http://127.0.0.1:' + server.address().port + '\\n'));
}
`;

type Tell = (text: string) => void;

/** Every figure in every pass, one after the other; about seventy seconds a pass. */
export async function measurePlatform(passes: number, tell: Tell): Promise<PlatformReport> {
  const { note, report } = figures(passes, ROWS);
  for (let pass = 1; pass <= passes; pass += 1) {
    tell(`start, pass ${pass} of ${passes}`);
    await measureStart(note);
    tell(`requests, pass ${pass} of ${passes}`);
    await measureRequests(note);
    tell(`${USERS} users, pass ${pass} of ${passes}`);
    await measureUsers(note);
    tell(`100,000 messages, pass ${pass} of ${passes}`);
    await measureBig(note);
    tell(`the gateway, pass ${pass} of ${passes}`);
    await measureGateway(note);
  }
  return report();
}

/** Only what the gateway costs; about thirty seconds a pass. */
export async function measureGatewayAlone(passes: number, tell: Tell): Promise<PlatformReport> {
  const { note, report } = figures(passes, GATEWAY_ROWS);
  for (let pass = 1; pass <= passes; pass += 1) {
    tell(`the gateway, pass ${pass} of ${passes}`);
    await measureGateway(note);
  }
  return report();
}

/** Where each pass notes what it found, and what they found together. */
function figures(
  passes: number,
  rows: readonly Row[],
): { readonly note: Note; readonly report: () => PlatformReport } {
  const found = new Map<string, number[]>();
  return {
    note: (name, value) => void found.set(name, [...(found.get(name) ?? []), value]),
    report: () => ({
      node: process.version,
      passes,
      rows: rows.map(([name, unit, goal]) => ({
        name,
        unit,
        figure: summarize(found.get(name) ?? []),
        ...(goal === undefined ? {} : { goal }),
      })),
    }),
  };
}

type Row = readonly [name: string, unit: string, goal?: string];

const ROWS: readonly Row[] = [
  ['node -e 0', 'ms'],
  ['startEmulator(), loading it included', 'ms', '≤ 150'],
  ['its processor time, all threads', 'ms'],
  ['the process until it is ready ÷ node -e 0', '×', '≤ 3'],
  ['the first request after that', 'ms', '≤ 60'],
  ['processor time of that request, all threads', 'ms'],
  ['a bare server of Node', '/s'],
  ['GET /users/@me', '/s', '≥ 3,000'],
  ['GET /users/@me ÷ bare', '×'],
  ['code for a token', '/s', '≥ 500'],
  ['refresh for a token', '/s', '≥ 500'],
  [`export of ${USERS} users`, 'ms', '≤ 1,000'],
  [`import of ${USERS} users`, 'ms', '≤ 1,000'],
  ...BIG_ROWS,
  ...GATEWAY_ROWS,
];

type Note = (name: string, value: number) => void;

async function measureStart(note: Note): Promise<void> {
  const bare = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  const least = performance.now() - bare;
  note('node -e 0', least);
  const begin = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', START], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  note('the process until it is ready ÷ node -e 0', (performance.now() - begin) / least);
  const last = await lines.next();
  const told = JSON.parse(String(last.value)) as {
    readonly start: number;
    readonly first: number;
    readonly cpu: readonly [start: number, first: number];
    readonly status: number;
  };
  if (told.status !== 200) throw new Error(`the first request was answered ${told.status}`);
  note('startEmulator(), loading it included', told.start);
  note('the first request after that', told.first);
  note('its processor time, all threads', told.cpu[0]);
  note('processor time of that request, all threads', told.cpu[1]);
}

interface Served extends Pick<PinnedServer, 'pid' | 'end'> {
  readonly url: URL;
}

async function serve(...args: readonly string[]): Promise<Served> {
  const { line, pid, end } = await startPinned(['--input-type=module', '-e', SERVE, ...args]);
  return { url: new URL(line), pid, end };
}

/** Answers a second of processor of the server: what one core gives, whatever else the machine does. */
async function rate({ url, pid }: Served, connection: () => Ask): Promise<number> {
  await httpLoad(url, connection, WARM_MS);
  const before = processorMs(pid);
  const { counted } = await httpLoad(url, connection, MEASURED_MS);
  return counted / ((processorMs(pid) - before) / 1000);
}

async function measureRequests(note: Note): Promise<void> {
  const platform = await serve();
  try {
    const { token, me } = await logIn(platform.url);
    const bare = await serve(me);
    const asksMe = () => () => ({
      what: 'GET /api/v10/users/@me',
      headers: { authorization: `Bearer ${token}` },
    });
    const least = await rate(bare, asksMe);
    await bare.end();
    note('a bare server of Node', least);
    const answers = await rate(platform, asksMe);
    note('GET /users/@me', answers);
    note('GET /users/@me ÷ bare', answers / least);
    note('code for a token', await rate(platform, exchanging));
    note('refresh for a token', await rate(platform, refreshing));
  } finally {
    await platform.end();
  }
}

const CLIENT = `client_id=${APP}&client_secret=x&redirect_uri=${encodeURIComponent(REDIRECT)}`;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const AUTHORIZE = {
  what: `POST /api/oauth2/authorize?client_id=${APP}&scope=identify&redirect_uri=${encodeURIComponent(REDIRECT)}`,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  counts: false,
} as const;

const codeIn = (answer: string): string => /[?&]code=([A-Za-z0-9]+)/.exec(answer)?.[1] ?? '';
const exchangeOf = (code: string) => ({
  what: 'POST /api/oauth2/token',
  headers: FORM,
  body: `grant_type=authorization_code&code=${code}&${CLIENT}`,
});

/** A code, then a token for it: the exchange alone is counted, and the authorization before it is paid for all the same. */
function exchanging(): Ask {
  return (answer) => {
    const code = codeIn(answer);
    return code === '' ? AUTHORIZE : exchangeOf(code);
  };
}

/** One login, and then a refresh after the other. */
function refreshing(): Ask {
  return (answer) => {
    const token = /"refresh_token":"([A-Za-z0-9]+)"/.exec(answer)?.[1];
    if (token === undefined) return exchanging()(answer);
    return {
      what: 'POST /api/oauth2/token',
      headers: FORM,
      body: `grant_type=refresh_token&refresh_token=${token}&${CLIENT}`,
    };
  };
}

async function logIn(api: URL): Promise<{ readonly token: string; readonly me: string }> {
  const { what, headers, body } = AUTHORIZE;
  const [method = '', path = ''] = what.split(' ');
  const answer = await (await fetch(new URL(path, api), { method, headers, body })).text();
  const exchange = { method: 'POST', headers: FORM, body: exchangeOf(codeIn(answer)).body };
  const { access_token: token } = (await (
    await fetch(new URL('/api/oauth2/token', api), exchange)
  ).json()) as {
    readonly access_token: string;
  };
  const me = await fetch(new URL('/api/v10/users/@me', api), {
    headers: { authorization: `Bearer ${token}` },
  });
  return { token, me: await me.text() };
}

async function measureUsers(note: Note): Promise<void> {
  const { startEmulator } = (await import(LIBRARY)) as {
    readonly startEmulator: () => Promise<TestEmulator>;
  };
  const emulator = await startEmulator();
  try {
    const users = Array.from({ length: USERS }, (_, index) => ({
      id: String(210_000_000_000_000_000n + BigInt(index)),
      username: `user${index}`,
    }));
    await emulator.operations.call('emulator.apply', { patch: { users } });
    let begin = performance.now();
    const { state } = (await emulator.operations.call('emulator.export')) as { readonly state: string };
    note(`export of ${USERS} users`, performance.now() - begin);
    if (state.split('{"users":').length <= USERS) throw new Error('the state has not all users in it');
    begin = performance.now();
    await emulator.operations.call('emulator.import', { state });
    note(`import of ${USERS} users`, performance.now() - begin);
  } finally {
    await emulator.close();
  }
}

/** A goal such as `≤ 1,000`, and whether a value keeps it. */
function judged(goal: string, value: number): string {
  const [relation, limit = ''] = goal.split(' ');
  if (limit === '') return '';
  const most = Number(limit.replaceAll(',', ''));
  return `${goal.padEnd(9)} ${(relation === '≤' ? value <= most : value >= most) ? 'met' : 'NOT MET'}`;
}

/** The figures as text, with the goals and whether they are met. */
export function platformText({ node, passes, rows }: PlatformReport): string {
  const number = (value: number): string =>
    value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
  const lines = rows.map(({ name, unit, figure: { median, min, max }, goal = '' }) =>
    `  ${name.padEnd(44)}${`${number(median)} ${unit}`.padStart(12)}  ${`(${number(min)}–${number(max)})`.padEnd(18)}${judged(goal, median)}`.trimEnd(),
  );
  return `The offline platform. Node ${node}, ${passes} passes: median, spread and goal. Requests are a second of the server's processor.\n\n${lines.join('\n')}\n`;
}
