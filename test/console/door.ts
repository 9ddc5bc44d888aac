import { connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { LocalError } from '../../src/base/local-error.ts';
import type { ConsoleBackend } from '../../src/console/backend.ts';
import { type Console, type ConsoleOptions, serveConsole } from '../../src/console/console.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { ControlStatus } from '../../src/control/routes.ts';
import { Journal } from '../../src/journal/journal.ts';

/** What no answer of a console may hold for whoever is not let in. */
export const SECRET = 'the-bridge-said-this';

/** The page as the build would have made it. */
export const PAGE: Readonly<Record<string, string>> = {
  'index.html': `<!doctype html><title>${SECRET}</title>`,
  'app.js': `// ${SECRET}`,
  'app.css': `/* ${SECRET} */`,
  'icon.svg': `<!-- ${SECRET} -->`,
};

/** A bridge that a test plays, and all that it was called with. */
export interface PlayedBridge extends ConsoleBackend {
  readonly called: unknown[];
  journal: Journal | undefined;
  /** Undefined while it is away. */
  pid: number | undefined;
}

/** A bridge with a journal that answers every call with what it was called with. */
export function playedBridge(): PlayedBridge {
  const played: PlayedBridge = {
    called: [],
    journal: new Journal(),
    pid: 41,
    async status() {
      if (played.pid === undefined) throw new LocalError('FOOTBRIDGE_NO_DAEMON', 'No bridge runs here');
      return { version: SECRET, pid: played.pid, uptime: 0, rss: 0, fds: 0 } as unknown as ControlStatus;
    },
    operations: async () => [{ name: 'state.show', summary: SECRET, args: [], command: null }],
    operation: async (name) => ({
      name,
      summary: SECRET,
      args: [],
      command: null,
      about: null,
      schema: { args: {}, result: {} },
    }),
    async call(name, args, forProcesses) {
      await played.status();
      if (name === 'journal.read') return readJournal(played.journal, args);
      if (name === 'refused') throw new ControlError(409, 'FOOTBRIDGE_REFUSED', 'It was refused');
      if (name === 'broken') throw new TypeError(SECRET);
      played.called.push({ name, args, forProcesses });
      return { said: SECRET };
    },
    doctor: async () => ({ checks: [SECRET] }),
    bugreport: async () => ({ name: 'report.txt', text: SECRET }),
  };
  return played;
}

async function readJournal(journal: Journal | undefined, args: object): Promise<unknown> {
  if (journal === undefined) throw new ControlError(409, 'FOOTBRIDGE_JOURNAL', 'It keeps no journal');
  const page = journal.read(args);
  if (page.entries.length > 0) return page;
  const { wait = 0 } = args as { readonly wait?: number };
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, wait);
    const stop = journal.follow(() => {
      clearTimeout(timer);
      stop();
      resolve();
    });
  });
  return journal.read(args);
}

/** A console that listens until the test ends. */
export async function openConsole(
  backend: ConsoleBackend = playedBridge(),
  options: Partial<ConsoleOptions> = {},
): Promise<Console> {
  const readFile = (name: string): Uint8Array => Buffer.from(PAGE[name] ?? '');
  const served = await serveConsole(backend, { uid: process.getuid?.(), readFile, ...options });
  onTestFinished(() => served.close());
  return served;
}

/** A raw answer. */
export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  readonly whole: string;
}

/** A connection on which nothing has been sent. */
export async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

/** All that is answered until the other side hangs up. */
export async function said(socket: Socket): Promise<Answer> {
  let whole = '';
  socket.on('data', (chunk) => {
    whole += String(chunk);
  });
  await new Promise((resolve) => socket.once('close', resolve));
  const [head = '', ...rest] = whole.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1] ?? 0), head, body: rest.join('\r\n\r\n'), whole };
}

/** Sends these bytes and reads the answer. */
export async function sent(port: number, bytes: string): Promise<Answer> {
  const socket = await connected(port);
  socket.write(bytes);
  return said(socket);
}

/** A request: method and target, header lines, body. A Host is added unless there is one among them. */
export function ask(port: number, target: string, lines: readonly string[] = [], body = ''): Promise<Answer> {
  const host = lines.some((line) => /^host:/i.test(line)) ? [] : [`Host: 127.0.0.1:${port}`];
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return sent(port, `${[`${target} HTTP/1.1`, ...host, ...lines, ...length].join('\r\n')}\r\n\r\n${body}`);
}

/** The target of a one-time address. */
export function targetOf(address: string): string {
  return new URL(address).pathname + new URL(address).search;
}

/** The Cookie line of a browser that has opened the console. */
export async function entered(served: Console): Promise<string> {
  const { head } = await ask(served.port, `GET ${targetOf(served.address())}`);
  const [, cookie] = /^set-cookie: ([^;]+);/im.exec(head) ?? [];
  expect(cookie).toBeDefined();
  return `Cookie: ${cookie}`;
}

/** What the page's own script sends with a POST. */
export function ownLines(port: number): readonly string[] {
  return [
    `Origin: http://127.0.0.1:${port}`,
    'Footbridge-Console: 1',
    'Content-Type: application/json',
    'Sec-Fetch-Site: same-origin',
  ];
}

/** The constant that whoever is not let in gets, without a word of what there is. */
export const REFUSAL = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
