import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';

/** Who runs the tests; they run as root and as anybody. */
export const uid = process.getuid?.() ?? -1;

/** A private folder (0700) that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fb-test-'));
  chmodSync(folder, 0o700);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A server on a unix socket, closed after the test together with its connections. */
export async function listenOn(
  options: ListenOptions,
  onConnection: (socket: Socket) => void = () => {},
): Promise<Server> {
  const server = createServer(onConnection);
  closeAfterTest(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, resolve);
  });
  return server;
}

/** A port that nobody listens on, below those that the system gives to whoever connects: it stays free until it is taken. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Closes a server and every connection it has had once the test is over. */
export function closeAfterTest(server: Server): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}

/** A client of a unix socket, connected, destroyed after the test. */
export async function connectTo(path: string): Promise<Socket> {
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).once('connect', resolve);
  });
  return socket.on('error', () => {});
}

/** Leaves a socket file that nobody listens on, as a killed server does. */
export async function leaveStaleSocket(path: string): Promise<void> {
  const bound = `${path}~`;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(bound, resolve));
  // Closing deletes the name it was bound to and leaves the other.
  linkSync(bound, path);
  await new Promise((resolve) => server.close(resolve));
}

/** A program that runs until the test ends, and the first thing it wrote. */
export interface StartedProgram {
  readonly child: ChildProcessByStdio<null, Readable, null>;
  readonly pid: number;
  readonly output: string;
}

/** Runs a program; resolves when it has written a line. */
export async function startProgram(command: string, args: readonly string[]): Promise<StartedProgram> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code} before it was ready`)));
    child.stdout.once('data', (text) => resolve(String(text)));
  });
  if (child.pid === undefined) throw new Error(`${command} has no pid`);
  return { child, pid: child.pid, output };
}

/** Whether there is a Python to play the programs that Node cannot. */
export function hasPython(): boolean {
  return spawnSync('python3', ['-c', '']).status === 0;
}

/** Another program that answers a PING, as a chat client does. */
export function answerPings(socket: Socket): void {
  socket.on('data', (chunk: Buffer) => {
    const pong = Buffer.from(chunk);
    pong.writeInt32LE(4, 0);
    socket.write(pong);
  });
}
