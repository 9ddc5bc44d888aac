// What the platform's HTTP API costs beside routes of fastify that check the same fields and answer the same JSON. `npm run bench -- http`
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDaemon } from '../helpers/daemon.ts';
import { APP, BIG, TEN_GUILDS, writeBigWorld } from './big-world.ts';
import type { CoreFigure } from './cores.ts';
import { HttpConnection } from './http-connection.ts';
import { httpLoad, type LoadRequest } from './http-load.ts';
import { type PinnedServer, startPinned } from './pinned-server.ts';
import { processorMs } from './process-facts.ts';
import { median, summarize } from './statistics.ts';

const WARM_MS = 1500;
const MEASURED_MS = 2000;
/** Messages of an answer. */
const MESSAGES = 50;

const [CHANNEL = ''] = BIG.channels;
const AUTHORIZATION = `Bot ${Buffer.from(APP).toString('base64url')}.emulator.bot`;
const ROUTES = fileURLToPath(new URL('./servers/fastify.mjs', import.meta.url));
const CONTENT = JSON.stringify({ content: 'said at the quay' });

/** What is asked, and at most how many times the route's processor time it may cost. */
const ROWS: readonly {
  readonly name: string;
  readonly most: number;
  readonly what: string;
  readonly body?: string;
}[] = [
  { name: 'GET /users/@me', most: 2, what: 'GET /api/v10/users/@me' },
  {
    name: `GET ${MESSAGES} messages`,
    most: 2.5,
    what: `GET /api/v10/channels/${CHANNEL}/messages?limit=${MESSAGES}`,
  },
  { name: 'POST a message', most: 2.5, what: `POST /api/v10/channels/${CHANNEL}/messages`, body: CONTENT },
];

/** A row with the processor time of a request of both servers, in µs. */
export interface HttpFigure extends CoreFigure {
  readonly what: string;
  readonly mine: number;
  readonly theirs: number;
}

/** A server that answers the rows. */
interface Side {
  readonly url: URL;
  readonly pid: number;
}

/** Measures the rows; both servers are asked in turns on one processor. */
export async function measureHttp(passes: number, tell: (text: string) => void): Promise<HttpFigure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-bench-'));
  const fixture = join(folder, 'world.jsonl');
  writeBigWorld(fixture, TEN_GUILDS);
  const args = ['--consent', 'allow', '--http-port', '0', '--fixture', fixture];
  const daemon = await startDaemon({ args });
  try {
    const own = { url: new URL(daemon.ready.api), pid: daemon.pid };
    const routes = await startRoutes(await answersOf(own.url));
    try {
      const figures: HttpFigure[] = [];
      for (const row of ROWS) {
        const [mine, theirs]: [number[], number[]] = [[], []];
        for (let pass = 0; pass < passes; pass += 1) {
          tell(`${row.name}, pass ${pass + 1} of ${passes}`);
          mine.push(await costOf(own, row));
          theirs.push(await costOf(routes, row));
        }
        figures.push(figureOf(row, mine, theirs));
      }
      return figures;
    } finally {
      await routes.end();
    }
  } finally {
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function figureOf(
  { name, most }: (typeof ROWS)[number],
  mine: readonly number[],
  theirs: readonly number[],
): HttpFigure {
  const { median: value, min, max } = summarize(mine.map((one, pass) => one / (theirs[pass] ?? Number.NaN)));
  const both = { mine: median(mine), theirs: median(theirs) };
  const times = `${both.mine.toFixed(0)} µs beside ${both.theirs.toFixed(0)} µs`;
  const more = ` (${min.toFixed(2)}–${max.toFixed(2)}; ${times})`;
  return { name: `${name} ÷ a route of fastify`, value, most, unit: '×', more, what: name, ...both };
}

/** What the platform answers: the routes answer the same. */
async function answersOf(api: URL): Promise<readonly unknown[]> {
  const connection = await HttpConnection.open(api);
  const ask = async (what: string, body?: string): Promise<unknown> => {
    const { status, body: text } = await connection.ask(what, AUTHORIZATION, body);
    if (status !== 200) throw new Error(`${what} was answered ${status}: ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
  for (let count = 0; count < MESSAGES; count += 1) {
    await ask(`POST /api/v10/channels/${CHANNEL}/messages`, CONTENT);
  }
  const answers = [];
  for (const { what, body } of ROWS) answers.push(await ask(what, body));
  connection.close();
  return answers;
}

async function startRoutes(answers: readonly unknown[]): Promise<Side & Pick<PinnedServer, 'end'>> {
  const { line, pid, end } = await startPinned([ROUTES], JSON.stringify({ channel: CHANNEL, answers }));
  return { url: new URL(line), pid, end };
}

/** Processor time of one request, in µs. */
async function costOf({ url, pid }: Side, { what, body }: (typeof ROWS)[number]): Promise<number> {
  const request: LoadRequest = {
    what,
    headers: {
      authorization: AUTHORIZATION,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  };
  await httpLoad(url, () => () => request, WARM_MS);
  const before = processorMs(pid);
  const { counted } = await httpLoad(url, () => () => request, MEASURED_MS);
  return ((processorMs(pid) - before) * 1000) / counted;
}
