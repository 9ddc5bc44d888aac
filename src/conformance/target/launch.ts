import { lstatSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '../schema.ts';
import { OPCODES } from '../tables.ts';
import type { Connection } from '../wire/connection.ts';
import { frameBytes } from '../wire/frame.ts';
import { connectIpc } from '../wire/ipc.ts';
import { type Exit, type Process, startProcess } from './process.ts';

/** What a started server said of itself in a JSON line on its standard output; all of it optional. */
interface ReadyLine {
  readonly path: string | undefined;
  readonly websocket: string | undefined;
  readonly api: string | undefined;
}

/** How the start of a command came out. */
export type Launch =
  | {
      readonly kind: 'listening';
      readonly process: Process;
      readonly path: string;
      readonly ready: ReadyLine | undefined;
    }
  | { readonly kind: 'exited'; readonly process: Process; readonly exit: Exit }
  | { readonly kind: 'mute'; readonly process: Process };

/** What a start needs. */
export interface LaunchOptions {
  readonly command: string;
  /** Shell text before the command. */
  readonly prefix?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder where the endpoint must appear. */
  readonly folder: string;
  /** Endpoints that belong to somebody else. */
  readonly foreign: readonly string[];
  readonly ms: number;
  /** Told of the process as soon as there is one, so that whoever gives up meanwhile can end it. */
  readonly onStart?: (process: Process) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

const POLL_MS = 20;
/** How long a listening server that has printed nothing may still print its ready line. */
const READY_LINE_MS = 400;

/** The endpoint with this index in a folder. */
export function endpointPath(folder: string, index: number): string {
  return platform() === 'win32' ? `\\\\?\\pipe\\discord-ipc-${index}` : join(folder, `discord-ipc-${index}`);
}

/** Starts a command and waits until it listens on one of the ten endpoints, ends, or the time is up. */
export async function launch(options: LaunchOptions): Promise<Launch> {
  const process = startProcess(options.command, options.env, options.prefix);
  options.onStart?.(process);
  const output: { ready: ReadyLine | undefined; isPlain: boolean } = { ready: undefined, isPlain: false };
  process.onLine((line) => {
    const ready = readReadyLine(line);
    if (ready !== undefined) output.ready ??= ready;
    else output.isPlain = true;
  });
  const until = Date.now() + options.ms;
  while (Date.now() < until && options.signal?.aborted !== true) {
    if (process.exit !== undefined) return { kind: 'exited', process, exit: process.exit };
    const path = output.ready?.path ?? (await findEndpoint(options.folder, options.foreign));
    if (path !== undefined && (await answers(path))) {
      const graceUntil = Date.now() + READY_LINE_MS;
      while (output.ready === undefined && !output.isPlain && Date.now() < graceUntil) await sleep(POLL_MS);
      return { kind: 'listening', process, path, ready: output.ready };
    }
    await sleep(POLL_MS);
  }
  return { kind: 'mute', process };
}

function readReadyLine(line: string): ReadyLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value)) return undefined;
    const endpoints = Array.isArray(value['endpoints']) ? value['endpoints'] : [];
    const pathOf = (kind: string) =>
      text(endpoints.filter(isRecord).find((endpoint) => endpoint['kind'] === kind)?.['path']);
    return { path: pathOf('ipc'), websocket: pathOf('websocket'), api: text(value['api']) };
  } catch {
    return undefined;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

async function findEndpoint(folder: string, foreign: readonly string[]): Promise<string | undefined> {
  for (let index = 0; index < 10; index++) {
    const path = endpointPath(folder, index);
    if (foreign.includes(path)) continue;
    if (platform() === 'win32' || isSocket(path)) return path;
  }
  return undefined;
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
}

/** True when somebody accepts at `path`; a PING shows whether it is served yet, but silence also counts. */
async function answers(path: string): Promise<boolean> {
  let connection: Connection;
  try {
    connection = await connectIpc(path, 500);
  } catch {
    return false;
  }
  await connection.write(frameBytes(OPCODES.PING, '1'));
  const received = await connection.next(500);
  await takeLeave(connection);
  return received.kind !== 'end';
}

/** Ends a connection that was only opened to look. */
export async function takeLeave(connection: Connection): Promise<void> {
  if (connection.transport === 'ipc') {
    // A server that dies when the socket closes without CLOSE would hide every other fault.
    await connection.write(frameBytes(OPCODES.CLOSE, '{"code":1000,"message":"looking"}'));
    await connection.next(500);
  }
  connection.destroy();
}

/** Resolves after `ms`. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
