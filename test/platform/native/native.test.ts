import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { drainCheck, socketFd } from '../../../platform/native/drain.ts';
import type { ForeignLibrary } from '../../../platform/native/library-file.ts';
import { loadNative, type Native } from '../../../platform/native/native.ts';
import { bundledModule } from '../../helpers/bundled.ts';
import { eventually } from '../../helpers/eventually.ts';
import {
  closeAfterTest,
  connectTo,
  hasPython,
  listenOn,
  startProgram,
  temporaryFolder,
  uid,
} from '../../helpers/sockets.ts';

const isLinux = process.platform === 'linux';
const hasKoffi = isKoffiInstalled();
const native = await loadNative();

/** Asks the resolver and not `loadNative`, so that a library that is there and does not load fails the tests. */
function isKoffiInstalled(): boolean {
  try {
    return createRequire(import.meta.url).resolve('koffi') !== '';
  } catch {
    return false;
  }
}

function loaded(): Native {
  if (native.kind === 'absent') throw new Error(native.reason);
  return native;
}

/** A foreign library whose functions are the given ones; a missing one answers -1. */
function library(functions: Record<string, (...args: never[]) => unknown>, errno = 9): ForeignLibrary {
  return {
    load: () => ({
      func(definition) {
        const name = /(\w+)\(/.exec(definition)?.[1] ?? '';
        return (functions[name] ?? (() => -1)) as () => unknown;
      },
    }),
    errno: () => errno,
  };
}

async function standIn(os: 'linux' | 'darwin', foreign: ForeignLibrary): Promise<Native> {
  const result = await loadNative(os, () => Promise.resolve(foreign));
  if (result.kind === 'absent') throw new Error(result.reason);
  return result;
}

describe('loadNative', () => {
  it('returns the reason in one line when the library is missing', async () => {
    const result = await loadNative('linux', () => Promise.reject(new Error('Cannot find it\nsecond line')));
    expect(result).toEqual({ kind: 'absent', reason: expect.stringContaining('Cannot find it') });
    expect(result).not.toEqual({ kind: 'absent', reason: expect.stringContaining('second line') });
  });
  it('returns absent for a library without our functions', async () => {
    const broken: ForeignLibrary = {
      load() {
        throw new Error('no such function');
      },
      errno: () => 0,
    };
    expect(await loadNative('linux', () => Promise.resolve(broken))).toMatchObject({ kind: 'absent' });
  });
  it('does not load a library on other systems', async () => {
    const load = vi.fn();
    expect(await loadNative('win32', load)).toMatchObject({ kind: 'absent' });
    expect(load).not.toHaveBeenCalled();
  });
});

describe.skipIf(!hasKoffi)('peerCredentials (needs koffi)', () => {
  it('returns the process at both ends of a real connection', async () => {
    const path = join(temporaryFolder(), 's');
    const server = await listenOn({ path });
    const accepted = once(server, 'connection');
    const client = await connectTo(path);
    const [peer] = await accepted;
    const own = { pid: process.pid, uid, gid: process.getgid?.() };
    expect(loaded().peerCredentials(socketFd(peer) ?? -1)).toEqual(own);
    expect(loaded().peerCredentials(socketFd(client) ?? -1)).toEqual(own);
  });

  it('returns the pid of another process', async () => {
    const path = join(temporaryFolder(), 's');
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`;
    const { pid } = await startProgram(process.execPath, ['-e', script]);
    const client = await connectTo(path);
    expect(loaded().peerCredentials(socketFd(client) ?? -1).pid).toBe(pid);
  });

  it('throws for a descriptor that is not a connected unix socket, and never returns uid 0', async () => {
    const file = openSync('/dev/null', 'r');
    const server = createServer();
    closeAfterTest(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const listening: unknown = Reflect.get(server, '_handle');
    const tcp = Number(Reflect.get(Object(listening), 'fd'));
    expect(tcp).toBeGreaterThan(0);
    for (const fd of [-1, 99_999, file, tcp]) {
      expect(() => loaded().peerCredentials(fd)).toThrow(
        expect.objectContaining({ code: 'FOOTBRIDGE_PEER_UNKNOWN' }),
      );
    }
    closeSync(file);
  });
});

describe('peerCredentials over a failing library [T15]', () => {
  it.each(['linux', 'darwin'] as const)('refuses 100 of 100 peers on %s', async (os) => {
    const failing = await standIn(os, library({}));
    for (let round = 0; round < 100; round++) {
      expect(() => failing.peerCredentials(5)).toThrow(/errno 9.*must be refused/);
    }
  });

  it.each(['linux', 'darwin'] as const)('does not read an untouched result as root on %s', async (os) => {
    const silent = await standIn(os, library({ getsockopt: () => 0, getpeereid: () => 0 }));
    expect(() => silent.peerCredentials(5)).toThrow('no peer');
  });

  it('refuses a result of another size', async () => {
    const short = await standIn(
      'linux',
      library({
        getsockopt: (_fd: number, _level: number, _name: number, value: Uint32Array, size: Uint32Array) => {
          value.fill(0);
          size[0] = 4;
          return 0;
        },
      }),
    );
    expect(() => short.peerCredentials(5)).toThrow('no peer');
  });

  it('omits the pid of a process in another namespace', async () => {
    const foreign = await standIn(
      'linux',
      library({
        getsockopt: (_fd: number, _level: number, _name: number, value: Uint32Array) => {
          value.set([0, 1000, 100]);
          return 0;
        },
      }),
    );
    expect(foreign.peerCredentials(5)).toEqual({ uid: 1000, gid: 100 });
  });

  it('reads both calls of macOS, and works without the pid', async () => {
    const getpeereid = (_fd: number, user: Uint32Array, group: Uint32Array) => {
      user[0] = 501;
      group[0] = 20;
      return 0;
    };
    const getsockopt = (_fd: number, level: number, name: number, value: Int32Array) => {
      expect([level, name]).toEqual([0, 2]);
      value[0] = 77;
      return 0;
    };
    const named = await standIn('darwin', library({ getpeereid, getsockopt }));
    expect(named.peerCredentials(5)).toEqual({ pid: 77, uid: 501, gid: 20 });
    const nameless = await standIn('darwin', library({ getpeereid }));
    expect(nameless.peerCredentials(5)).toEqual({ uid: 501, gid: 20 });
  });
});

describe('lockFile', () => {
  it('distinguishes a held lock from a failure', async () => {
    expect((await standIn('linux', library({}, 11))).lockFile(5)).toBe(false);
    expect((await standIn('darwin', library({}, 35))).lockFile(5)).toBe(false);
    const failing = await standIn('linux', library({}, 95));
    expect(() => failing.lockFile(5)).toThrow(expect.objectContaining({ code: 'FOOTBRIDGE_LOCK' }));
  });
});

describe.skipIf(!hasKoffi || !isLinux)('unsentBytes (needs koffi on Linux)', () => {
  it('rises from 0 with unread bytes, and returns to 0 once the peer has read them', async () => {
    const path = join(temporaryFolder(), 's');
    const server = await listenOn({ path });
    const accepted = once(server, 'connection');
    const client = await connectTo(path);
    const [peer] = await accepted;
    const unsentBytes = drainCheck(loaded());
    expect(unsentBytes(client)).toBe(0);
    client.write('x'.repeat(1000));
    expect(unsentBytes(client)).toBeGreaterThanOrEqual(1000);
    peer.resume();
    await eventually(() => expect(unsentBytes(client)).toBe(0));
  });
});

/** A socket that has this descriptor. */
const withFd = (fd: number | undefined) => ({ _handle: { fd } }) as unknown as Socket;

describe('drainCheck', () => {
  it('returns undefined without native calls, without a descriptor, and for a closed one', async () => {
    expect(drainCheck({ kind: 'absent', reason: 'x' })(withFd(5))).toBeUndefined();
    const unsentBytes = drainCheck(await standIn('linux', library({})));
    expect(unsentBytes(withFd(undefined))).toBeUndefined();
    expect(unsentBytes(withFd(-1))).toBeUndefined();
    expect(unsentBytes(withFd(5))).toBeUndefined();
  });
  it('returns undefined on macOS, whose kernel has no such count', async () => {
    expect(drainCheck(await standIn('darwin', library({ ioctl: () => 0 })))(withFd(5))).toBeUndefined();
  });
});

it('socketFd is undefined once the socket is closed', async () => {
  const path = join(temporaryFolder(), 's');
  await listenOn({ path });
  const client = await connectTo(path);
  expect(socketFd(client)).toBeGreaterThan(2);
  client.destroy();
  expect(socketFd(client)).toBeUndefined();
});

describe.skipIf(!hasKoffi || !isLinux)('hardening (needs koffi on Linux)', () => {
  it('makes the process undumpable and forbids core files', () => {
    // In a process of its own: neither can be undone.
    const script = `
      import { readFileSync } from 'node:fs';
      import * as koffi from 'koffi';
      import { loadNative } from ${bundledModule('native')};
      const native = await loadNative();
      const prctl = koffi.load(null).func('int prctl(int, ...)');
      const before = prctl(3);
      const done = [native.setNotDumpable(), native.limitCoreDumps()];
      const core = /core file size +(\\S+) +(\\S+)/.exec(readFileSync('/proc/self/limits', 'utf8'));
      console.log(JSON.stringify({ before, done, after: prctl(3), core: core.slice(1) }));`;
    const args = ['--input-type=module', '-e', script];
    const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual({ before: 1, done: [true, true], after: 0, core: ['0', '0'] });
  });
});

describe.skipIf(!hasKoffi || !isLinux)('freed memory (needs koffi on Linux)', () => {
  it('returns to the system when the C library has a call for it', () => {
    // Blocks that the C library keeps, because the last one above them stays in use.
    const script = `
      import * as koffi from 'koffi';
      import { loadNative } from ${bundledModule('native')};
      const native = await loadNative();
      const libc = koffi.load(null);
      const [malloc, memset, free] = ['void *malloc(size_t)', 'void *memset(void *, int, size_t)', 'void free(void *)'].map((f) => libc.func(f));
      const blocks = Array.from({ length: 1024 }, () => memset(malloc(65536), 1, 65536));
      const last = malloc(65536);
      for (const block of blocks) free(block);
      const before = process.memoryUsage.rss();
      const released = native.releaseFreed();
      const hasGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
      console.log(JSON.stringify({ hasGlibc, released, mebibytes: (before - process.memoryUsage.rss()) / 1048576, last: last !== null }));`;
    const args = ['--input-type=module', '-e', script];
    const { hasGlibc, released, mebibytes } = JSON.parse(
      execFileSync(process.execPath, args, { encoding: 'utf8' }),
    );
    expect(released).toBe(hasGlibc);
    if (hasGlibc) expect(mebibytes).toBeGreaterThan(48);
  });
  it('is not released when the C library has no call for it', async () => {
    const without = await standIn('linux', {
      ...library({}),
      load: () => ({
        func(definition) {
          if (definition.includes('malloc_trim')) throw new Error('no such function');
          return () => -1;
        },
      }),
    });
    expect(without.releaseFreed()).toBe(false);
  });
});

describe.skipIf(!hasKoffi || !isLinux)('notify (needs koffi on Linux)', () => {
  const receiver = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
s.settimeout(10)
name = sys.argv[1]
s.bind('\\0' + name[1:] if name.startswith('@') else name)
sys.stdout.write('up\\n'); sys.stdout.flush()
data, control, _, _ = s.recvmsg(4096, 64)
sys.stdout.write('%s %d\\n' % (data.decode(), int.from_bytes(control[0][2][:4], 'little')))`;

  it.skipIf(!hasPython()).each(['path', 'abstract'])('reaches a %s address (needs python3)', async (kind) => {
    const path = join(temporaryFolder(), 'notify');
    const address = kind === 'path' ? path : `@${path}`;
    const { child } = await startProgram('python3', ['-c', receiver, address]);
    const answer = new Promise<string>((resolve) =>
      child.stdout.once('data', (text) => resolve(String(text))),
    );
    expect(loaded().notify(address, 'READY=1\nSTATUS=ok')).toEqual({ kind: 'sent' });
    // The sender is this process, so that NotifyAccess=main lets it through.
    expect(await answer).toBe(`READY=1\nSTATUS=ok ${process.pid}\n`);
  });

  it('returns the reason when it cannot send', () => {
    const missing = join(temporaryFolder(), 'nobody');
    expect(loaded().notify(missing, 'x')).toEqual({
      kind: 'unsent',
      reason: expect.stringContaining('errno 2'),
    });
    for (const address of ['', '@', 'relative', 'vsock:2:1', `/${'x'.repeat(120)}`, '/a\0b']) {
      expect(loaded().notify(address, 'x')).toEqual({
        kind: 'unsent',
        reason: expect.stringContaining('address'),
      });
    }
  });
});
