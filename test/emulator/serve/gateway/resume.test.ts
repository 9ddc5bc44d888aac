import { expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';

const GUILDS = 1;

it('a cut session is resumed without a lost event, and other resumes get an invalid session [W-2]', async () => {
  const platform = await botPlatform();
  const token = tokenOf(platform);
  const rename = (name: string) => platform.emulator.apply({ guilds: [{ id: ids.riverBank, name }] });
  const first = new GatewayClient(platform.url);
  const { d: ready } = await first.identify(token, { intents: GUILDS });
  await first.event('GUILD_CREATE');
  await rename('one');
  const seen = await first.event('GUILD_UPDATE');
  expect(seen.d.name).toBe('one');
  first.socket.terminate();
  await first.closed;
  await rename('two');
  await rename('three');
  const resume = { op: 6, d: { token, session_id: ready.session_id, seq: seen.s } };
  const second = new GatewayClient(platform.url);
  await second.op(10);
  second.send(resume);
  const missed = [await second.next(), await second.next(), await second.next()];
  expect(missed.map(({ t, s, d }) => [t, s, d.name])).toEqual([
    ['GUILD_UPDATE', (seen.s ?? 0) + 1, 'two'],
    ['GUILD_UPDATE', (seen.s ?? 0) + 2, 'three'],
    ['RESUMED', (seen.s ?? 0) + 3, undefined],
  ]);
  await rename('four');
  expect(await second.event('GUILD_UPDATE')).toMatchObject({ s: (seen.s ?? 0) + 4, d: { name: 'four' } });

  // Another connection takes over, and the one before is closed.
  const third = new GatewayClient(platform.url);
  await third.op(10);
  third.send({ op: 6, d: { ...resume.d, token: `Bot ${token}`, seq: (seen.s ?? 0) + 4 } });
  await third.event('RESUMED');
  expect((await second.closed).code).toBe(4000);

  // What the client said it has is not kept, and nobody was told of the future.
  third.send({ op: 1, d: (seen.s ?? 0) + 5 });
  await third.op(11);
  const fourth = new GatewayClient(platform.url);
  await fourth.op(10);
  fourth.send(resume);
  expect(await fourth.op(9)).toMatchObject({ d: false });
  fourth.send({ op: 6, d: { ...resume.d, session_id: 'ffff' } });
  expect(await fourth.op(9)).toMatchObject({ d: false });
  fourth.send({ op: 6, d: { ...resume.d, session_id: '' } });
  expect(await fourth.op(9)).toMatchObject({ d: false });
  fourth.send({ op: 6, d: { ...resume.d, seq: 1000 } });
  expect((await fourth.closed).code).toBe(4007);

  // A stranger is told no more than that there is no such session, and the owner goes on.
  const stranger = new GatewayClient(platform.url);
  await stranger.op(10);
  const other = platform.bot('300000000000000002').authorization;
  stranger.send({ op: 6, d: { ...resume.d, token: other, seq: (seen.s ?? 0) + 5 } });
  expect(await stranger.op(9)).toMatchObject({ d: false });
  await rename('five');
  expect((await third.event('GUILD_UPDATE')).d.name).toBe('five');

  // Whoever says goodbye does not come back.
  third.socket.close(1000);
  await third.closed;
  const last = new GatewayClient(platform.url);
  await last.op(10);
  last.send({ op: 6, d: { ...resume.d, seq: (seen.s ?? 0) + 6 } });
  expect(await last.op(9)).toMatchObject({ d: false });
  last.send({ op: 2, d: { token, intents: 0, properties: {} } });
  expect((await last.event('READY')).d.session_id).not.toBe(ready.session_id);
});

it('a connection that cannot resume does not occupy a slot [W-2]', async () => {
  const platform = await botPlatform({}, [], { maxGatewayConnections: 2 });
  const token = tokenOf(platform);
  const { d } = await new GatewayClient(platform.url).identify(token);
  for (let count = 0; count < 3; count += 1) {
    const ahead = new GatewayClient(platform.url);
    await ahead.op(10);
    ahead.send({ op: 6, d: { token, session_id: d.session_id, seq: 1000 } });
    expect((await ahead.closed).code).toBe(4007);
  }
  await new GatewayClient(platform.url).identify(token);
  const tooMany = new GatewayClient(platform.url);
  await expect(tooMany.identify(token)).rejects.toThrow('closed');
  expect(await tooMany.closed).toMatchObject({ code: 4000, reason: expect.stringContaining('No room') });
});

it('a session can be resumed for five minutes of the clock, and closes without heartbeats [W-2]', async () => {
  const clock = new ManualClock();
  const platform = await botPlatform({}, [], { clock });
  const token = tokenOf(platform);
  const client = new GatewayClient(platform.url);
  const { d } = await client.identify(token);
  clock.advance(47_000);
  expect(await client.op(1)).toMatchObject({ d: null });
  client.send({ op: 1, d: 1 });
  await client.op(11);
  clock.advance(60_000);
  client.send({ op: 1, d: 1 });
  await client.op(11);
  client.socket.terminate();
  await client.closed;
  // By the answers the server has seen the end of the connection, too.
  for (let count = 0; count < 3; count += 1) await platform.ask('GET /gateway');
  const again = async (): Promise<GatewayClient> => {
    const next = new GatewayClient(platform.url);
    await next.op(10);
    next.send({ op: 6, d: { token, session_id: d.session_id, seq: 1 } });
    return next;
  };
  clock.advance(299_000);
  const resumed = await again();
  await resumed.event('RESUMED');
  clock.advance(62_000);
  expect((await resumed.closed).code).toBe(4009);
  const late = await again();
  expect(await late.op(9)).toMatchObject({ d: false });
  clock.advance(31_000);
  expect((await late.closed).code).toBe(4009);

  const { d: third } = await new GatewayClient(platform.url).identify(token);
  expect(third.session_id).not.toBe(d.session_id);
});

it('gateway connections do not count towards the 64 connections of the HTTP port [W-2]', async () => {
  const { url, ask } = await botPlatform();
  for (let count = 0; count < 70; count += 1) await new GatewayClient(url).op(10);
  expect((await ask('GET /gateway')).status).toBe(200);
});
