import { expect, it } from 'vitest';
import WebSocket from 'ws';
import { AppPeer } from '../helpers/app-peer.ts';
import { ids } from '../helpers/emulator-world.ts';
import { type FaultBridge, faultBridge } from '../helpers/fault-bridge.ts';
import { webSocketLink } from '../helpers/web-bridge.ts';

const OVERLAY = '207646673902501888';

function connect(bridge: FaultBridge): AppPeer {
  const url = bridge.ready.endpoints.find(({ kind }) => kind === 'websocket')?.path ?? '';
  const headers = { origin: 'http://localhost:3000' };
  return new AppPeer(webSocketLink(new WebSocket(`${url}/?v=1&client_id=${OVERLAY}`, { headers })));
}

/** What the overlay posts to `https://streamkit.discord.com/overlay/token`; only that address is another here. */
async function exchange(bridge: FaultBridge, code: string): Promise<string> {
  const answer = await fetch(new URL('/overlay/token', bridge.ready.api), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { access_token: string }).access_token;
}

it('a stream-kit overlay logs in with the scopes that it requests, and stays connected', async () => {
  const bridge = await faultBridge({ args: ['--consent', 'allow', '--http-port', '0'] });
  expect(await connect(bridge).closed()).toMatchObject({ code: 4001 });
  expect((await bridge.cli(['origins', 'add', 'streamkit'])).code).toBe(0);
  const app = connect(bridge);
  expect((await app.answer()).data.user).toMatchObject({ id: ids.river, username: 'river' });
  expect((await app.call('AUTHENTICATE', { access_token: 'none' })).data.code).toBe(4009);
  const scopes = ['rpc', 'messages.read', 'rpc.notifications.read'];
  const asked = await app.call('AUTHORIZE', { client_id: OVERLAY, scopes, prompt: 'none' });
  const access_token = await exchange(bridge, asked.data.code);
  expect(await app.call('AUTHENTICATE', { access_token })).toMatchObject({
    evt: null,
    data: { user: { id: ids.river, username: 'river' }, scopes: [...scopes, 'identify'] },
  });
  expect((await app.call('GET_GUILDS')).data.guilds).toHaveLength(2);
  expect((await app.call('GET_SELECTED_VOICE_CHANNEL')).evt).toBeNull();
  for (const evt of ['VOICE_CHANNEL_SELECT', 'NOTIFICATION_CREATE']) {
    expect((await app.call('SUBSCRIBE', {}, { evt })).evt).toBeNull();
  }
  // The token opens the next connection without another question.
  const next = connect(bridge);
  await next.answer();
  expect((await next.call('AUTHENTICATE', { access_token })).evt).toBeNull();
  expect(await app.rest()).toEqual([]);
});
