import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { INTENTS } from '../../../../src/emulator/api/dispatch.ts';
import { type BotPlatform, botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';

const GUILDS = INTENTS.GUILDS;

/** What a peer does wrong after HELLO, and with which code it is sent away. What `faults.test.ts` has is not here. */
type Wrong = readonly [what: string, code: number, act: (peer: GatewayClient, token: string) => unknown];

const PRESENCE = { op: 3, d: { since: null, activities: [], status: 'idle', afk: false } };

const identify = (peer: GatewayClient, d: object) =>
  peer.send({ op: 2, d: { intents: GUILDS, properties: {}, ...d } });

const WRONG: readonly Wrong[] = [
  ['has the token of nobody', 4004, (peer) => identify(peer, { token: 'Bearer nobody' })],
  ['is a shard of none', 4010, (peer, token) => identify(peer, { token, shard: [0, 0] })],
  ['has half a shard', 4010, (peer, token) => identify(peer, { token, shard: [0] })],
  ['says nothing', 4002, (peer) => peer.send('')],
  ['says no number', 4002, (peer) => peer.send('{"op":"1"}')],
  ['says half a number', 4002, (peer) => peer.send('{"op":1.5}')],
  ['says a megabyte', 4002, (peer) => peer.send('x'.repeat(1024 * 1024))],
  ['says what is nested deeply', 4002, (peer) => peer.send('['.repeat(4000))],
  ['says an opcode of everybody', 4001, (peer) => peer.send('{"op":-1}')],
  ['changes its presence before it identifies', 4003, (peer) => peer.send(PRESENCE)],
  [
    'beats without end',
    4008,
    async (peer, token) => {
      identify(peer, { token });
      await peer.event('READY');
      for (let beat = 0; beat < 125; beat += 1) peer.send({ op: 1, d: null });
    },
  ],
  [
    'commands without end',
    4008,
    async (peer, token) => {
      identify(peer, { token });
      await peer.event('READY');
      for (let count = 0; count < 125; count += 1) peer.send(PRESENCE);
    },
  ],
  [
    'resumes with a wrong token',
    4004,
    (peer) => peer.send({ op: 6, d: { token: 'x', session_id: 'x', seq: 1 } }),
  ],
];

/** A bot that behaves, and whatever others do is told what happens, at once. */
async function honest(platform: BotPlatform) {
  const client = new GatewayClient(platform.url);
  await client.identify(tokenOf(platform), { intents: GUILDS });
  return {
    client,
    /** Changes something, and waits until it is told of it. */
    hears: async (topic: string): Promise<void> => {
      await platform.ask(`PATCH /channels/${ids.general}`, { topic });
      const { d } = await client.event('CHANNEL_UPDATE');
      expect(d.topic).toBe(topic);
    },
  };
}

it('an invalid payload closes its connection with the documented code, and disturbs no other session [W-2]', async () => {
  const platform = await botPlatform();
  const neighbour = await honest(platform);
  const codes = await Promise.all(
    WRONG.map(async ([what, , act]) => {
      const client = new GatewayClient(platform.url);
      await client.op(10);
      await act(client, tokenOf(platform));
      const late = new Promise<{ readonly code: string }>((resolve) => {
        setTimeout(resolve, 5000, { code: 'still there' });
      });
      return [what, (await Promise.race([client.closed, late])).code];
    }),
  );
  expect(codes).toEqual(WRONG.map(([what, code]) => [what, code]));
  await neighbour.hears('still here');
  await neighbour.client.rest();
});

async function gatewayOf(platform: BotPlatform): Promise<string> {
  return (await platform.ask('GET /gateway')).body.url as string;
}

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

it('a partial frame, an invalid frame and a web page disturb no other session [W-2]', async () => {
  const platform = await botPlatform();
  const address = await gatewayOf(platform);
  const neighbour = await honest(platform);
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

it('a session that does not read is not buffered without limit, and does not delay others [W-2]', async () => {
  const platform = await botPlatform();
  const neighbour = await honest(platform);
  const mute = new GatewayClient(platform.url);
  await mute.identify(tokenOf(platform), { intents: GUILDS });
  mute.socket.pause();
  const before = process.memoryUsage().rss;
  for (let count = 0; count < 300; count += 1) await neighbour.hears(`${count} ${'tide '.repeat(200)}`);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});
