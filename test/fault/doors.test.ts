import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { authorized, faultBridge, isLinux, PROGRAM } from '../helpers/fault-bridge.ts';
import { freePort } from '../helpers/sockets.ts';

/** A connection to a socket or to a port of the loopback that says nothing; closed at once counts as well. */
function connected(to: string | number): Promise<Socket> {
  const socket = typeof to === 'string' ? connect(to) : connect(to, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.once('close', () => resolve(socket));
  });
}

describe('idle connections [R06]', () => {
  const doors = async (limit: number) => {
    const port = await freePort();
    const bridge = await faultBridge({
      args: ['--consent', 'allow', '--http-port', '0', '--ws-port', String(port)],
      command: ['sh', '-c', `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, PROGRAM],
    });
    const api = Number(new URL(bridge.ready.api).port);
    return { bridge, all: { control: bridge.ready.control, api, web: port } };
  };
  it.skipIf(!isLinux).each(['control', 'api', 'web'] as const)(
    'to the %s port block no other connection on any port (Linux only)',
    async (door) => {
      const { bridge, all } = await doors(64);
      const idle = await Promise.all(Array.from({ length: 150 }, () => connected(all[door])));
      onTestFinished(() => {
        for (const socket of idle) socket.destroy();
      });
      const app = await bridge.app();
      await authorized(bridge, app);
      expect((await app.call('GET_GUILDS')).cmd).toBe('GET_GUILDS');
      expect((await bridge.control.status()).sessions).toHaveLength(1);
      expect((await fetch(`http://127.0.0.1:${all.web}/`)).status).toBe(404);
      expect(idle.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(130);
    },
  );
  it('to the control socket block no command while there is room for many', async () => {
    const bridge = await faultBridge();
    const idle = await Promise.all(Array.from({ length: 100 }, () => connected(bridge.ready.control)));
    expect((await bridge.cli(['status'])).code).toBe(0);
    for (const socket of idle) socket.destroy();
  });
});

it.skipIf(!isLinux).each([
  ['emulator', 136],
  ['upstream', 68],
])(
  'the core "%s" leaves room for %i apps below 200 descriptors (requires Linux) [R06]',
  async (core, count) => {
    // In front of a client each app takes two: its own connection, and the one to the client.
    const bridge = await faultBridge({
      args: ['--core', core, '--ws-port', 'off'],
      command: ['sh', '-c', 'ulimit -n 200; exec "$0" "$@"', process.execPath, PROGRAM],
    });
    const lines = bridge.output().stderr.trimEnd().split('\n');
    const [told] = lines.filter((line) => line.includes('fewer connections than configured'));
    expect(JSON.parse(told ?? '{}')).toMatchObject({ count });
  },
);
