import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { INTENTS } from '../../../src/emulator/dispatch.ts';
import { type BotPlatform, botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { GatewayConnection } from '../../helpers/gateway-session.ts';

const GUILDS = INTENTS.GUILDS;

/** What a peer does wrong after HELLO, and with which code it is sent away. */
type Wrong = readonly [what: string, code: number, act: (peer: Peer) => unknown, query?: string];

interface Peer extends Pick<GatewayConnection, 'socket' | 'send'> {
  readonly token: string;
  /** Identifies as it should, and waits for READY. */
  readonly identify: () => Promise<unknown>;
}

const identify = (peer: Peer, d: object) =>
  peer.send(2, { token: peer.token, intents: GUILDS, properties: {}, ...d });

const WRONG: readonly Wrong[] = [
  [
    'identifies twice',
    4005,
    async (peer) => {
      await peer.identify();
      identify(peer, {});
    },
  ],
  ['has no token', 4002, (peer) => identify(peer, { token: undefined })],
  ['has a wrong token', 4004, (peer) => identify(peer, { token: `${peer.token}x` })],
  ['has the token of nobody', 4004, (peer) => identify(peer, { token: 'Bearer nobody' })],
  ['asks for an intent that is none', 4013, (peer) => identify(peer, { intents: 1 << 30 })],
  ['asks for less than nothing', 4013, (peer) => identify(peer, { intents: -1 })],
  ['says no intents', 4013, (peer) => identify(peer, { intents: undefined })],
  ['asks for a privileged intent', 4014, (peer) => identify(peer, { intents: INTENTS.GUILD_PRESENCES })],
  ['is a shard that is not there', 4010, (peer) => identify(peer, { shard: [2, 2] })],
  ['is a shard of none', 4010, (peer) => identify(peer, { shard: [0, 0] })],
  ['has half a shard', 4010, (peer) => identify(peer, { shard: [0] })],
  ['says no JSON', 4002, ({ socket }) => socket.send('{"op":1,')],
  ['says no text', 4002, ({ socket }) => socket.send(Buffer.from('{"op":1,"d":null}'))],
  ['says nothing', 4002, ({ socket }) => socket.send('')],
  ['says a list', 4002, ({ socket }) => socket.send('[1]')],
  ['says no number', 4002, ({ socket }) => socket.send('{"op":"1"}')],
  ['says half a number', 4002, ({ socket }) => socket.send('{"op":1.5}')],
  ['says more than 4,096 bytes', 4002, ({ socket }) => socket.send(`{"op":1,"d":"${'x'.repeat(4096)}"}`)],
  ['says a megabyte', 4002, ({ socket }) => socket.send('x'.repeat(1024 * 1024))],
  ['says what is nested deeply', 4002, ({ socket }) => socket.send('['.repeat(4000))],
  ['says an opcode that is none', 4001, (peer) => peer.send(99, null)],
  ['says what only the gateway says', 4001, (peer) => peer.send(10, {})],
  ['says an opcode of everybody', 4001, ({ socket }) => socket.send('{"op":-1}')],
  [
    'commands before it identifies',
    4003,
    (peer) => peer.send(8, { guild_id: ids.riverBank, limit: 0, query: '' }),
  ],
  [
    'changes its presence before that',
    4003,
    (peer) => peer.send(3, { since: null, activities: [], status: 'dnd', afk: false }),
  ],
  [
    'beats without end',
    4008,
    async (peer) => {
      await peer.identify();
      for (let beat = 0; beat < 125; beat += 1) peer.send(1, null);
    },
  ],
  [
    'beats without end before it identifies',
    4008,
    (peer) => {
      for (let beat = 0; beat < 125; beat += 1) peer.send(1, null);
    },
  ],
  [
    'commands without end',
    4008,
    async (peer) => {
      await peer.identify();
      const presence = { since: null, activities: [], status: 'idle', afk: false };
      for (let count = 0; count < 125; count += 1) peer.send(3, presence);
    },
  ],
  ['resumes with a wrong token', 4004, (peer) => peer.send(6, { token: 'x', session_id: 'x', seq: 1 })],
  ['wants ETF', 4002, () => {}, '?v=10&encoding=etf'],
  ['wants zstd', 4002, () => {}, '?v=10&encoding=json&compress=zstd-stream'],
  ['wants a version that is none', 4012, () => {}, '?v=99&encoding=json'],
];

/** A bot that behaves, and whatever others do is told what happens, at once. */
async function honest(platform: BotPlatform, address: string) {
  const connection = new GatewayConnection(address);
  onTestFinished(() => connection.cut());
  await connection.identify({ token: tokenOf(platform), intents: GUILDS });
  return {
    connection,
    /** Changes something, and waits until it is told of it. */
    hears: async (topic: string): Promise<void> => {
      await platform.ask(`PATCH /channels/${ids.general}`, { topic });
      const { d } = await connection.event('CHANNEL_UPDATE');
      expect(d.topic).toBe(topic);
    },
  };
}

function tokenOf(platform: BotPlatform): string {
  return platform.bot().authorization.replace('Bot ', '');
}

async function gatewayOf(platform: BotPlatform): Promise<string> {
  return (await platform.ask('GET /gateway')).body.url as string;
}

it('W-2: whoever does something wrong is sent away with its code, and nobody else is disturbed', async () => {
  const platform = await botPlatform();
  const address = await gatewayOf(platform);
  const token = tokenOf(platform);
  const neighbour = await honest(platform, address);
  const codes = await Promise.all(
    WRONG.map(async ([what, , act, query]) => {
      const connection = new GatewayConnection(address, query);
      onTestFinished(() => connection.cut());
      // Whom the address itself sends away, there is no HELLO for.
      if (query === undefined) await connection.opcode(10);
      await act({
        socket: connection.socket,
        send: (op, d) => connection.send(op, d),
        token,
        identify: () => {
          connection.send(2, { token, intents: GUILDS, properties: {} });
          return connection.event('READY');
        },
      });
      const late = new Promise<{ readonly code: string }>((resolve) => {
        setTimeout(resolve, 5000, { code: 'still there' });
      });
      return [what, (await Promise.race([connection.closed, late])).code];
    }),
  );
  expect(codes).toEqual(WRONG.map(([what, code]) => [what, code]));
  await neighbour.hears('still here');
  await neighbour.connection.beat();
});

it('W-2: a session is resumed by its own bot alone, and not past what it was told', async () => {
  const platform = await botPlatform();
  const address = await gatewayOf(platform);
  const neighbour = await honest(platform, address);
  const [ready] = neighbour.connection.told.filter(({ t }) => t === 'READY');
  const resume = async (d: object) => {
    const connection = new GatewayConnection(address);
    onTestFinished(() => connection.cut());
    await connection.opcode(10);
    connection.send(6, { token: tokenOf(platform), session_id: ready?.d.session_id, seq: 1, ...d });
    return connection;
  };
  // Of another application, with a token that is good.
  const stranger = platform.bot('300000000000000002').authorization.replace('Bot ', '');
  expect(await (await resume({ token: stranger })).opcode(9)).toMatchObject({ d: false });
  expect(await (await resume({ session_id: 'f'.repeat(32) })).opcode(9)).toMatchObject({ d: false });
  expect(await (await resume({ session_id: '' })).opcode(9)).toMatchObject({ d: false });
  await neighbour.hears('still ours');
  expect((await (await resume({ seq: 1_000_000 })).closed).code).toBe(4007);
});

/** A peer that speaks in bytes. */
function raw(
  address: string,
  headers: readonly string[] = [],
): { readonly socket: Socket; readonly gone: Promise<string> } {
  const { port, pathname } = new URL(address);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let said = '';
  const gone = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(said));
  });
  const head = [
    `GET ${pathname}?v=10&encoding=json HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, gone };
}

it('W-2: half a frame, a frame of lies and a page from the web disturb nobody', async () => {
  const platform = await botPlatform();
  const address = await gatewayOf(platform);
  const neighbour = await honest(platform, address);
  // RFC 6455, 5.2: FIN and TEXT, masked, then what the length says.
  const halves = ['81', '81fe', '818500000000', '01'].map((bytes) => {
    const { socket } = raw(address);
    socket.write(Buffer.from(bytes, 'hex'));
    return socket;
  });
  const lies = ['81ffffffffffffffffff00000000', '8105', 'f18000000000', '89fe00ff00000000', '80'].map(
    (bytes) => {
      const { socket, gone } = raw(address);
      socket.write(Buffer.from(bytes, 'hex'));
      return gone;
    },
  );
  await neighbour.hears('through the noise');
  for (const said of await Promise.all(lies.slice(0, 4))) expect(said).toMatch(/^HTTP\/1\.1 101 /);
  expect(await raw(address, ['Origin: https://example.com']).gone).toMatch(/^HTTP\/1\.1 403 /);
  expect(await raw(address, [`Origin: ${address.replace('ws', 'http')}`]).gone).toMatch(/^HTTP\/1\.1 403 /);
  for (const half of halves) half.destroy();
  await neighbour.hears('and after it');
});

it('W-2: one that does not read is let go, and others are told all the while', async () => {
  const platform = await botPlatform();
  const address = await gatewayOf(platform);
  const neighbour = await honest(platform, address);
  const mute = new GatewayConnection(address);
  onTestFinished(() => mute.cut());
  await mute.identify({ token: tokenOf(platform), intents: GUILDS });
  mute.socket.pause();
  const before = process.memoryUsage().rss;
  for (let count = 0; count < 300; count += 1) await neighbour.hears(`${count} ${'tide '.repeat(200)}`);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});
