import { expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient } from '../../../helpers/gateway-client.ts';
import { APP, type PlatformRequest } from '../../../helpers/platform.ts';

const OTHER = ids.lighthouse;
const SCOPES = ['identify', 'gateway.connect'];

/** Two bots, and two tokens each of river for both applications, all at the gateway. */
async function crowd() {
  const platform = await botPlatform({ users: [{ id: OTHER, username: 'lamp', bot: true }] });
  const { emulator, url, call } = platform;
  const clients = new Map<string, GatewayClient>();
  const tokens = new Map<string, string>();
  const come = async (name: string, token: string) => {
    const client = new GatewayClient(url);
    await client.identify(token);
    clients.set(name, client);
    tokens.set(name, token.replace('Bearer ', ''));
  };
  for (const application of [OTHER, APP]) {
    await come(`bot ${application}`, platform.bot(application).authorization);
    for (const name of ['first', 'second']) {
      await come(`${name} ${application}`, (await platform.bearer(SCOPES, application)).authorization);
    }
  }
  const all = [...clients.keys()];
  /** The names of those that are closed with 4004; the others still answer. */
  const closed = async (count: number) => {
    const gone = () => all.filter((name) => clients.get(name)?.socket.readyState === 3);
    await expect.poll(() => gone().length).toBe(count);
    for (const name of gone()) {
      expect(await clients.get(name)?.closed, name).toEqual({
        code: 4004,
        reason: 'Authentication failed: the token is no longer valid.',
      });
    }
    for (const name of all) if (!gone().includes(name)) await clients.get(name)?.rest();
    expect((await emulator.gateway.sessions()).length).toBe(all.length - count);
    return gone();
  };
  const revoke = (name: string, client_id: string) => {
    const request: PlatformRequest = {
      form: { client_id, client_secret: 'any', token: tokens.get(name) ?? '' },
    };
    return call('POST /oauth2/token/revoke', request);
  };
  return { ...platform, closed, revoke };
}

it('a session ends with its token, and none of another application or user', async () => {
  const { closed, revoke, emulator } = await crowd();
  expect(await closed(0)).toEqual([]);
  // A revocation ends all that the user granted to the application.
  await revoke(`second ${APP}`, APP);
  const granted = [`first ${APP}`, `second ${APP}`];
  expect(await closed(2)).toEqual(granted);
  // What is not about the token of a bot ends nothing.
  await emulator.apply({ applications: [{ id: APP, name: 'Renamed' }] });
  await emulator.apply({
    users: [
      { id: ids.river, username: 'brook' },
      { id: '41', username: 'newt' },
    ],
  });
  await emulator.apply({ users: [{ id: '41', remove: true }] });
  expect(await closed(2)).toEqual(granted);
  await emulator.apply({
    applications: [{ id: APP, bot_token: `${Buffer.from(APP).toString('base64url')}.another.one` }],
  });
  expect(await closed(3)).toEqual([`bot ${APP}`, ...granted]);
});

it('the sessions of users end with their application, and those of a bot with its account', async () => {
  const { closed, emulator } = await crowd();
  await emulator.apply({ applications: [{ id: OTHER, remove: true }] });
  // Its bot has the token of an application that is not written down, which may read.
  const gone = [`first ${OTHER}`, `second ${OTHER}`];
  expect(await closed(2)).toEqual(gone);
  await emulator.apply({ users: [{ id: APP, remove: true }] });
  expect(await closed(3)).toEqual([...gone, `bot ${APP}`]);
});

it('the sessions of a bot end where its application has another bot', async () => {
  const { closed, emulator } = await crowd();
  await emulator.apply({
    users: [{ id: '41', username: 'other', bot: true }],
    applications: [{ id: OTHER, bot_user: '41' }],
  });
  expect(await closed(1)).toEqual([`bot ${OTHER}`]);
});
