import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PROBE_MARK } from '../../platform/endpoint/probe-mark.ts';
import { currentOs } from '../../platform/operating-system.ts';
import { parseForwardEndpoint } from '../../src/forward/endpoint.ts';
import { type Forward, type ForwardOptions, startForward } from '../../src/forward/forward.ts';
import { listenOn, temporaryFolder } from '../helpers/sockets.ts';

/** A forward of a test with the sentences that it reported. */
export interface TestForward {
  readonly forward: Forward;
  readonly reports: readonly string[];
}

/** Starts a forward between two endpoints as the command line names them; it ends with the test. */
export async function forwarding(
  from: string,
  to: string,
  more: Partial<ForwardOptions> = {},
): Promise<TestForward> {
  const reports: string[] = [];
  const forward = await startForward({
    os: await currentOs(),
    env: { XDG_RUNTIME_DIR: temporaryFolder() },
    from: parseForwardEndpoint('--from', from, 'linux'),
    to: parseForwardEndpoint('--to', to, 'linux'),
    rights: 'full',
    name: 'test',
    enter: () => Promise.resolve({ path: () => Promise.resolve(to), close: () => {} }),
    report: (text) => void reports.push(text),
    timing: { minPauseMs: 10, helloMs: 10_000 },
    ...more,
  });
  onTestFinished(() => forward.close());
  return { forward, reports };
}

/** Paths for apps and a bridge in a folder of the test. */
export function paths(): { readonly apps: string; readonly bridge: string } {
  const folder = temporaryFolder();
  return { apps: join(folder, 'apps'), bridge: join(folder, 'bridge') };
}

/** A bridge that sends every byte back, and its sockets but those of probes. */
export async function echoBridge(path: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  await listenOn({ path }, (socket) => {
    sockets.push(socket);
    socket.once('data', (bytes) => {
      if (String(bytes).includes(PROBE_MARK)) sockets.splice(sockets.indexOf(socket), 1);
    });
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  return sockets;
}

/** An app at a path, with all that it has read. */
export interface App {
  readonly socket: Socket;
  /** Resolves with everything that was read, once the other end has ended. */
  readonly all: Promise<Buffer>;
  read(): Buffer;
}

/** Connects an app; it may end one direction alone. */
export function app(path: string): App {
  const socket = connect({ path, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => void chunks.push(chunk));
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const read = (): Buffer => Buffer.concat(chunks);
  const all = new Promise<Buffer>((resolve) => {
    socket.once('end', () => resolve(read()));
    socket.once('close', () => resolve(read()));
  });
  return { socket, all, read };
}

/** The body of the CLOSE frame at the end of what an app has read; undefined without one. */
export function closeIn(bytes: Buffer): { readonly code: number; readonly message: string } | undefined {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    if (bytes.readUInt32LE(at) === 2) return JSON.parse(bytes.toString('utf8', at + 8, at + 8 + length));
    at += 8 + length;
  }
  return undefined;
}
