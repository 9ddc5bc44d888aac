import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSink } from '../../../src/daemon/log/sink.ts';
import { startProgram, temporaryPlace } from '../../cli/spawn.ts';
import { bundled } from '../../helpers/bundled.ts';

const isLinux = process.platform === 'linux';
const command = (...args: string[]): [string, ...string[]] => [
  process.execPath,
  bundled('log-writer'),
  ...args,
];

/** What the writer says of its losses. */
const droppedBy = (stdout: string): number => (JSON.parse(stdout) as { dropped: number }).dropped;

it('openSink uses the stream when the descriptor is closed', () => {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  const nowhere = openSync('/dev/null', 'r');
  closeSync(nowhere);
  const sink = openSink(nowhere, () => stream);
  expect(sink.write(Buffer.from('line\n'))).toEqual({ kind: 'written', bytes: 5 });
  expect(written).toEqual(['line\n']);
});

describe('a log on a descriptor', () => {
  it('appends to a file', async () => {
    const path = join(temporaryPlace().folder, 'log');
    const fd = openSync(path, 'a');
    onTestFinished(() => closeSync(fd));
    const { code } = await startProgram(command('3'), { stdio: ['pipe', 'pipe', fd] }).ended;
    await startProgram(command('1'), { stdio: ['pipe', 'pipe', fd] }).ended;
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines.map((line) => (JSON.parse(line) as { count: number }).count)).toEqual([0, 1, 2, 0]);
  });

  it('writes every line to a pipe that is read', async () => {
    const { code, stderr, stdout } = await startProgram(command('500'), {}).ended;
    expect(code).toBe(0);
    expect(droppedBy(stdout)).toBe(0);
    expect(stderr.trimEnd().split('\n')).toHaveLength(500);
  });

  it.skipIf(!isLinux)('survives a full disk and counts the lost lines (needs /dev/full)', async () => {
    const fd = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(fd));
    const { code, stdout } = await startProgram(command('200'), { stdio: ['pipe', 'pipe', fd] }).ended;
    expect(code).toBe(0);
    expect(droppedBy(stdout)).toBe(200);
  });

  it('survives a reader that disconnects, and counts the lost lines', async () => {
    const { child, ended } = startProgram(command('200', 'held'), {});
    child.stderr?.destroy();
    child.stdin?.write('go\n');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(droppedBy(stdout)).toBeGreaterThan(0);
  });

  it('lets the program exit although the pipe is not read', async () => {
    const fifo = join(temporaryPlace().folder, 'fifo');
    execFileSync('sh', ['-c', 'mkfifo "$0"', fifo]);
    // Opened for both, a FIFO has a reader that never reads.
    const fd = openSync(fifo, 'r+');
    onTestFinished(() => closeSync(fd));
    const { code, stdout } = await startProgram(command('20000'), { stdio: ['pipe', 'pipe', fd] }).ended;
    expect(code).toBe(0);
    expect(droppedBy(stdout)).toBeGreaterThan(5000);
  });

  describe('that is a socket, as under a service manager', () => {
    const CONNECT = `
import socket, subprocess, sys
s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
sys.exit(subprocess.call(sys.argv[2:], stderr=s.fileno()))`;

    async function writeTo(onConnection: (socket: Socket) => void, lines: string) {
      const path = join(temporaryPlace().folder, 's');
      const server = createServer({ pauseOnConnect: true }, (socket) => {
        socket.on('error', () => {});
        onTestFinished(() => void socket.destroy());
        onConnection(socket);
      });
      onTestFinished(() => void server.close());
      await new Promise<void>((resolve) => server.listen(path, resolve));
      return startProgram(['python3', '-c', CONNECT, path, ...command(lines)], {}).ended;
    }

    it('writes every line', async () => {
      let received = '';
      const { code } = await writeTo((socket) => {
        socket.on('data', (chunk) => {
          received += chunk.toString();
        });
        socket.resume();
      }, '20');
      expect(code).toBe(0);
      await expect.poll(() => received.trimEnd().split('\n').length).toBe(20);
    });

    it('lets the program exit although the socket is not read', async () => {
      const { code, stdout } = await writeTo(() => {}, '20000');
      expect(code).toBe(0);
      expect(droppedBy(stdout)).toBeGreaterThan(5000);
    });

    it('lets the program exit although the peer has closed the socket', async () => {
      const { code, stdout } = await writeTo((socket) => socket.destroy(), '300');
      expect(code).toBe(0);
      expect(droppedBy(stdout)).toBeGreaterThan(0);
    });
  });
});
