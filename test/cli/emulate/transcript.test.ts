import { expect, it } from 'vitest';
import { transcribe } from '../../../src/cli/emulate/transcript.ts';
import { memoryTransport } from '../../../src/transport/memory.ts';
import type { Transport } from '../../../src/transport/transport.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import type { Connection } from '../../../src/wire/connection.ts';
import { encodeFrame } from '../../../src/wire/frame.ts';

const json = (value: unknown) => encodeFrame(Opcode.FRAME, JSON.stringify(value));

async function scene(onConnection: (connection: Connection) => void) {
  const memory = memoryTransport();
  const lines: string[] = [];
  await transcribe(memory, (line) => lines.push(line)).listen(onConnection);
  return { memory, lines };
}

const ignore = {
  frame() {},
  broken() {},
  ended() {},
  partial() {},
  backlog() {},
  requestsInFlight: 0,
  halfClosed() {},
  admits: () => true,
};

it('writes a line for each handshake, request, answer, event and close', async () => {
  const { memory, lines } = await scene((connection) => {
    connection.start({
      ...ignore,
      frame: ({ opcode }) => {
        if (opcode === Opcode.HANDSHAKE) {
          connection.send(json({ cmd: 'DISPATCH', data: {}, evt: 'READY', nonce: null }));
        } else if (opcode === Opcode.FRAME) {
          connection.send(json({ cmd: 'GET_GUILD', data: {}, evt: null, nonce: 'n1' }));
          connection.send(json({ cmd: 'GET_GUILD', data: { code: 4003 }, evt: 'ERROR', nonce: 'n2' }));
          connection.close(1000, 'bye');
        }
      },
    });
  });
  const peer = memory.connect();
  peer.send(Opcode.HANDSHAKE, { v: 1, client_id: '12' });
  peer.send(Opcode.PING, 'x');
  peer.send(Opcode.FRAME, { cmd: 'SUBSCRIBE', evt: 'GUILD_STATUS', args: {}, nonce: 'n1' });
  expect(lines).toEqual([
    '#1 -> HANDSHAKE client_id=12\n',
    '#1 <- DISPATCH evt=READY\n',
    '#1 -> SUBSCRIBE evt=GUILD_STATUS nonce=n1\n',
    '#1 <- GET_GUILD nonce=n1 ok\n',
    '#1 <- GET_GUILD nonce=n2 ERROR 4003\n',
    '#1 <- CLOSE 1000 bye\n',
  ]);
});

it('tells connections apart, and the end of each', async () => {
  const { memory, lines } = await scene((connection) => connection.start(ignore));
  memory.connect().end();
  memory.connect().send(Opcode.CLOSE, { code: 1000 });
  await expect.poll(() => lines).toHaveLength(2);
  expect(lines.sort()).toEqual(['#1 -> end of the connection\n', '#2 -> CLOSE 1000\n']);
});

it('never shows arguments, data or what steers a terminal', async () => {
  const { memory, lines } = await scene((connection) => {
    connection.start({
      ...ignore,
      frame: () =>
        connection.send(
          json({ cmd: 'AUTHENTICATE', data: { access_token: 'canary' }, evt: null, nonce: '1' }),
        ),
    });
  });
  const peer = memory.connect();
  peer.send(Opcode.FRAME, { cmd: 'A\u001b[2J\nB', args: { access_token: 'canary' }, nonce: { x: 'canary' } });
  peer.send(Opcode.FRAME, ['canary']);
  peer.write(encodeFrame(Opcode.FRAME, '{"canary').bytes);
  const text = lines.join('');
  expect(text).not.toContain('canary');
  expect(text).toContain('#1 -> A?[2J?B nonce=?\n');
  expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
});

it('runs every method on the connection itself', async () => {
  class Private {
    #paused = 0;
    readonly kind = 'memory';
    pause(): void {
      this.#paused += 1;
    }
    get paused(): number {
      return this.#paused;
    }
  }
  const inner = new Private();
  let seen: Connection | undefined;
  const transport: Transport = {
    listen(take) {
      take(inner as unknown as Connection);
      return Promise.resolve([]);
    },
    stopAccepting() {},
    close: () => Promise.resolve(),
  };
  await transcribe(transport, () => {}).listen((connection) => {
    seen = connection;
  });
  expect(seen?.kind).toBe('memory');
  seen?.pause();
  expect(inner.paused).toBe(1);
});
