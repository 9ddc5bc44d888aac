import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';

it('HELLO arrives separately from the response to the upgrade [W-2]', async () => {
  const { url } = await botPlatform();
  for (let round = 0; round < 20; round += 1) {
    const asked = request(`${url.replace('/api', '')}/gateway?v=10&encoding=json`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      },
    });
    asked.end();
    const [, socket, head] = (await once(asked, 'upgrade')) as [unknown, Socket, Buffer];
    onTestFinished(() => void socket.destroy());
    expect(head).toHaveLength(0);
    const [hello] = (await once(socket, 'data')) as [Buffer];
    expect(hello.toString('latin1')).toContain('"op":10');
    socket.destroy();
  }
});

it('a client that identifies before HELLO receives HELLO before READY [W-2]', async () => {
  const platform = await botPlatform();
  const client = new GatewayClient(platform.url);
  await once(client.socket, 'open');
  client.send({ op: 2, d: { token: tokenOf(platform), intents: 0, properties: {} } });
  expect([(await client.next()).op, (await client.next()).t]).toEqual([10, 'READY']);
});
