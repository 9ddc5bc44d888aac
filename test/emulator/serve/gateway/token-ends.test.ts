import { expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { APP } from '../../../helpers/platform.ts';

const DAY_MS = 86_400_000;
const SCOPES = ['identify', 'gateway.connect', 'lobbies.write'];

/** A platform on a clock that stands, with a person's tokens and their sessions. */
async function platformOf() {
  const clock = new ManualClock();
  const platform = await botPlatform({}, [], { clock });
  const { emulator, url } = platform;
  const issued = async () => {
    const asked = { clientId: APP, scopes: SCOPES, peer: { transport: 'ipc' }, signal: AbortSignal.any([]) };
    const { code } = await emulator.oauth2.authorize(asked);
    const by = { clientId: APP, clientSecret: 'any' };
    const tokens = await emulator.oauth2.exchangeCode(by, { code, issuer: url });
    const refreshedBy = (refreshToken: string) => emulator.oauth2.refresh(by, { refreshToken });
    const refreshed = () => refreshedBy(tokens.refresh_token);
    return { token: `Bearer ${tokens.access_token}`, refreshed, refreshedBy };
  };
  const listens = async (token: string) => {
    const client = new GatewayClient(url);
    const { d } = await client.identify(token);
    return { client, id: d.session_id as string };
  };
  const resumes = async (token: string, session_id: string) => {
    const client = new GatewayClient(url);
    await client.op(10);
    client.send({ op: 6, d: { token, session_id, seq: 1 } });
    return client;
  };
  /** By the answers the server has seen what clients did before. */
  const isSeen = async () => {
    for (let count = 0; count < 3; count += 1) await platform.ask('GET /gateway');
  };
  const users = async () => (await emulator.gateway.sessions()).map(({ user }) => user);
  return { ...platform, machine: clock, issued, listens, resumes, isSeen, users };
}

const over = { code: 4004, reason: expect.stringContaining('the token is no longer valid') };

it('a session closes when its token expires by a moved clock, and no other session does', async () => {
  const platform = await platformOf();
  const { emulator, issued, listens, users } = platform;
  const first = await listens((await issued()).token);
  emulator.clock.advance(DAY_MS);
  const second = await listens((await issued()).token);
  await listens(tokenOf(platform));
  expect(await users()).toEqual([ids.river, ids.river, APP]);
  emulator.clock.advance(6 * DAY_MS - 1);
  expect(await users()).toEqual([ids.river, ids.river, APP]);
  emulator.clock.advance(1);
  expect(await first.client.closed).toMatchObject(over);
  expect(await users()).toEqual([ids.river, APP]);
  emulator.clock.advance(DAY_MS);
  expect(await second.client.closed).toMatchObject(over);
  emulator.clock.advance(100 * DAY_MS);
  // That of a bot does not end.
  expect(await users()).toEqual([APP]);
});

it('a session closes when its token expires by the time of the machine, with one timer for all', async () => {
  const { machine, issued, listens, users } = await platformOf();
  const { token } = await issued();
  const first = await listens(token);
  const before = machine.pending;
  await listens(token);
  await listens((await issued()).token);
  expect(machine.pending).toBe(before);
  // A client that is silent all the while is let go.
  machine.advance(7 * DAY_MS - 1);
  expect((await first.client.closed).code).toBe(4009);
  const last = await listens(token);
  machine.advance(1);
  expect(await last.client.closed).toMatchObject(over);
  expect(await users()).toEqual([]);
});

it('a resumed session closes with the token that resumed the session', async () => {
  const { emulator, issued, listens, resumes, isSeen } = await platformOf();
  const { token, refreshed } = await issued();
  const { client, id } = await listens(token);
  emulator.clock.advance(7 * DAY_MS - 60_000);
  await client.cut();
  await isSeen();
  const resumed = await resumes(token, id);
  await resumed.event('RESUMED');
  const fresh = `Bearer ${(await refreshed()).access_token}`;
  const again = await resumes(fresh, id);
  expect((await resumed.closed).code).toBe(4000);
  emulator.clock.advance(60_000);
  // The first token is over.
  expect((await (await resumes(token, id)).closed).code).toBe(4004);
  // That it was resumed before is told again.
  expect((await again.rest()).map(({ t }) => t)).toEqual(['RESUMED', 'RESUMED']);
  emulator.clock.advance(7 * DAY_MS);
  expect(await again.closed).toMatchObject(over);
});

it('a session that waits to be resumed also closes with its token', async () => {
  const { emulator, issued, listens, resumes, isSeen, users } = await platformOf();
  const { token, refreshed } = await issued();
  const { client, id } = await listens(token);
  emulator.clock.advance(7 * DAY_MS - 60_000);
  await client.cut();
  await isSeen();
  const fresh = `Bearer ${(await refreshed()).access_token}`;
  expect(await users()).toEqual([ids.river]);
  emulator.clock.advance(60_000);
  expect(await users()).toEqual([]);
  expect(await (await resumes(fresh, id)).op(9)).toMatchObject({ d: false });
});

it('a session closes when its token makes room for newer ones of its family', async () => {
  const { issued, listens, users } = await platformOf();
  const first = await issued();
  const { client } = await listens(first.token);
  let next = await first.refreshed();
  await listens(`Bearer ${next.access_token}`);
  for (let count = 0; count < 15; count += 1) next = await first.refreshedBy(next.refresh_token);
  expect(await client.closed).toMatchObject(over);
  expect(await users()).toEqual([ids.river]);
});
