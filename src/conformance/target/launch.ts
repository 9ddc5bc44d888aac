import { lstatSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '../schema.ts';
import { OPCODES } from '../tables.ts';
import type { Connection } from '../wire/connection.ts';
import { frameBytes } from '../wire/frame.ts';
import { connectIpc } from '../wire/ipc.ts';
import { type Exit, type Process, startProcess } from './process.ts';

/** Facts from the JSON line that a started server printed on its standard output; all optional. */
interface ReadyLine {
  readonly path: string | undefined;
  readonly websocket: string | undefined;
  readonly api: string | undefined;
}

/** Outcome of the start of a command. */
export type Launch =
  | {
      readonly kind: 'listening';
      readonly process: Process;
      readonly path: string;
      readonly ready: ReadyLine | undefined;
    }
  | { readonly kind: 'exited'; readonly process: Process; readonly exit: Exit }
  | { readonly kind: 'mute'; readonly process: Process };

/** Options of a launch. */
export interface LaunchOptions {
  readonly command: string;
  /** Shell text before the command. */
  readonly prefix?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Expected folder of the endpoint. */
  readonly folder: string;
  /** Endpoints of other servers. */
  readonly foreign: readonly string[];
  readonly ms: number;
  /** Called with the new process, so that the caller can end it if it gives up before the launch settles. */
  readonly onStart?: (process: Process) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

const POLL_MS = 20;
/** Time for a listening server without output to print its ready line (ms). */
const READY_LINE_MS = 400;

/** Endpoint with this index in a folder. */
export function endpointPath(folder: string, index: number): string {
  return platform() === 'win32' ? `\\\\?\\pipe\\discord-ipc-${index}` : join(folder, `discord-ipc-${index}`);
}

/** Starts a command and waits until it listens on one of the ten endpoints, exits, or the time is up. */
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

/**
 * Whether a server accepts at `path`. The answer to a PING shows that it already serves, but a silent server also
 * counts.
 */
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

/** Ends a connection that only tested the endpoint. */
export async function takeLeave(connection: Connection): Promise<void> {
  if (connection.transport === 'ipc') {
    // Some servers crash when a socket closes without CLOSE, and that crash would hide every other defect.
    await connection.write(frameBytes(OPCODES.CLOSE, '{"code":1000,"message":"looking"}'));
    await connection.next(500);
  }
  connection.destroy();
}

/** Resolves after `ms`. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
