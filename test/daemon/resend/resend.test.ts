import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { startEmulator, type TestEmulator } from '../../../src/testing/testing.ts';
import { AppPeer } from '../../helpers/app-peer.ts';
import { addBot, botToken } from '../../helpers/gateway-bot.ts';
import { GatewayConnection } from '../../helpers/gateway-connection.ts';
import { rawPeer } from '../../helpers/raw-peer.ts';
import { application, verifyKeyOf } from '../../stories/webhook-app.ts';

const APP = '300000000000000001';
const GUILD = '400000000000000001';
const CHANNEL = '500000000000000002';
const BOT = { authorization: `Bot ${botToken(APP)}` };

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startEmulator();
});
afterEach(() => emulator.close());

async function entries(): Promise<readonly JournalEntry[]> {
  const page = await emulator.operations.call('journal.read', {});
  return page.entries as readonly JournalEntry[];
}

/** The newest entry that matches. */
async function lastEntry(matches: (entry: JournalEntry) => boolean): Promise<JournalEntry> {
  const found = (await entries()).findLast(matches);
  if (found === undefined) throw new Error('there is no such entry');
  return found;
}

async function app(): Promise<AppPeer> {
  const peer = new AppPeer(await rawPeer(emulator.endpoint));
  onTestFinished(() => peer.end());
  await peer.handshake(APP);
  return peer;
}

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = BOT) =>
  fetch(`${emulator.api}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const resend = ({ seq }: { readonly seq: number }) => emulator.operations.call('traffic.resend', { seq });

/** The entry with this number. */
async function entryAt(seq: number | null): Promise<JournalEntry> {
  return lastEntry((entry) => entry.seq === seq);
}

const requestOf = (cmd: string) => (entry: JournalEntry) =>
  entry.kind === 'frame' && entry.direction === 'in' && entry.text.includes(`"cmd":"${cmd}"`);
const isHttp = (entry: JournalEntry): boolean => entry.kind === 'http';

describe('a frame', () => {
  it('is sent again in a session by hand, and the session of the app stays as it is', async () => {
    const peer = await app();
    peer.request('SET_ACTIVITY', { pid: process.pid, activity: { state: 'At sea' } });
    await peer.answer();
    const sent = await lastEntry(requestOf('SET_ACTIVITY'));
    const result = await resend({ seq: sent.seq });
    expect(result).toEqual({ seq: expect.any(Number) as number, kind: 'frame', application: APP });
    const again = await entryAt(result.seq);
    if (sent.kind !== 'frame' || again.kind !== 'frame') throw new Error('no frame');
    expect(again).toMatchObject({ direction: 'in', byHand: true });
    expect(again.session).not.toBe(sent.session);
    const [first, second] = [sent.text, again.text].map(
      (text) => JSON.parse(text) as { args: object; nonce: string },
    );
    expect(second?.args).toEqual(first?.args);
    expect(second?.nonce).not.toBe(first?.nonce);
    await expect
      .poll(async () =>
        (await entries())
          .filter((entry) => 'session' in entry && entry.session === again.session)
          .map((entry) => [entry.kind, 'byHand' in entry && entry.byHand]),
      )
      .toEqual([
        ['connect', true],
        ['frame', true],
        ['frame', true],
        ['frame', true],
        ['frame', true],
      ]);
    expect('byHand' in sent).toBe(false);
    // The app still has its answer alone, and shows what it did.
    expect(await peer.rest()).toEqual([]);
    const [shown] = (await emulator.operations.call('presence.list')).entries;
    expect(shown).toMatchObject({ connections: 2, activity: { state: 'At sea' } });
  });

  it('is sent with other arguments or as another command', async () => {
    const peer = await app();
    peer.request('SET_ACTIVITY', { pid: process.pid, activity: { state: 'At sea' } });
    await peer.answer();
    const { seq } = await lastEntry(requestOf('SET_ACTIVITY'));
    const other = { pid: process.pid, activity: { state: 'Ashore' } };
    const edited = await emulator.operations.call('traffic.resend', { seq, args: other });
    expect(JSON.parse(textOf(await entryAt(edited.seq)))).toMatchObject({ cmd: 'SET_ACTIVITY', args: other });
    const command = { seq, command: 'SUBSCRIBE', event: 'ACTIVITY_JOIN' };
    const subscribed = await emulator.operations.call('traffic.resend', command);
    expect(JSON.parse(textOf(await entryAt(subscribed.seq)))).toMatchObject({
      cmd: 'SUBSCRIBE',
      args: {},
      evt: 'ACTIVITY_JOIN',
    });
  });

  it('is sent whole, also what the journal hides of it', async () => {
    const peer = await app();
    const state = 'The password: swordfish0swordfish';
    peer.request('SET_ACTIVITY', { pid: process.pid, activity: { state } });
    await peer.answer();
    peer.end();
    await expect.poll(async () => (await emulator.operations.call('presence.list')).entries).toEqual([]);
    await resend(await lastEntry(requestOf('SET_ACTIVITY')));
    await expect
      .poll(async () =>
        (await emulator.operations.call('presence.list')).entries.map(({ activity }) => activity),
      )
      .toEqual([expect.objectContaining({ state })]);
    expect(JSON.stringify(await entries())).not.toContain('swordfish0swordfish');
  });

  it('goes out once more after its app has left', async () => {
    const peer = await app();
    peer.request('SET_ACTIVITY', { pid: process.pid, activity: { state: 'At sea' } });
    await peer.answer();
    peer.end();
    const { seq } = await lastEntry(requestOf('SET_ACTIVITY'));
    await expect.poll(async () => (await entries()).some(({ kind }) => kind === 'end')).toBe(true);
    expect(await resend({ seq })).toMatchObject({ kind: 'frame', application: APP });
  });
});

function textOf(entry: JournalEntry): string {
  return 'text' in entry ? entry.text : '';
}

describe('a request over HTTP', () => {
  beforeEach(() => addBot(emulator, APP, GUILD, []));

  it('is sent again with the credentials that the emulator has for the bot', async () => {
    const content = 'The password: swordfish0swordfish is mine';
    await post(`/v10/channels/${CHANNEL}/messages`, { content });
    const sent = await lastEntry(isHttp);
    expect(sent).toMatchObject({ application: APP });
    expect('byHand' in sent).toBe(false);
    const result = await resend({ seq: sent.seq });
    expect(result).toMatchObject({ kind: 'http', application: APP });
    expect(await entryAt(result.seq)).toMatchObject({
      kind: 'http',
      byHand: true,
      application: APP,
      method: 'POST',
      path: `/api/v10/channels/${CHANNEL}/messages`,
      status: 200,
      request: { headers: { authorization: 'Bot [hidden]' } },
    });
    const { messages } = (await emulator.operations.call('emulator.show')) as unknown as {
      messages: { content: string }[];
    };
    expect(messages.filter((message) => message.content === content)).toHaveLength(2);
    const shown = JSON.stringify(await entries());
    expect(shown).not.toContain(botToken(APP));
    expect(shown).not.toContain('footbridge-by-hand');
    expect(shown).not.toContain('swordfish0swordfish');
  });

  it('is sent with another method, path and body', async () => {
    await post(`/v10/channels/${CHANNEL}/messages`, { content: 'Low tide' });
    const { seq } = await lastEntry(isHttp);
    const path = `/api/v10/channels/${CHANNEL}/messages`;
    const edited = await emulator.operations.call('traffic.resend', {
      seq,
      path,
      body: '{"content":"High tide"}',
    });
    expect(await entryAt(edited.seq)).toMatchObject({ status: 200, byHand: true });
    const got = await emulator.operations.call('traffic.resend', {
      seq,
      method: 'GET',
      path: `${path}?limit=1`,
      body: '',
    });
    const entry = await entryAt(got.seq);
    if (entry.kind !== 'http') throw new Error('no request');
    expect(entry).toMatchObject({ method: 'GET', path: `${path}?limit=1`, status: 200 });
    expect(JSON.parse(entry.response.body ?? '')).toMatchObject([{ content: 'High tide' }]);
  });

  it('without credentials is sent again without any', async () => {
    await fetch(`${emulator.api}/v10/gateway`);
    const { seq } = await lastEntry(isHttp);
    const result = await resend({ seq });
    expect(result).toMatchObject({ kind: 'http', application: null });
    const entry = await entryAt(result.seq);
    expect(entry).toMatchObject({ status: 200, byHand: true });
    expect(entry.kind === 'http' && 'authorization' in entry.request.headers).toBe(false);
  });

  it('cannot be made to look as sent by hand by its sender', async () => {
    await fetch(`${emulator.api}/v10/gateway`, { headers: { 'footbridge-by-hand': 'x' } });
    expect('byHand' in (await lastEntry(isHttp))).toBe(false);
  });

  it('reaches no page on which a person decides', async () => {
    await post(`/v10/channels/${CHANNEL}/messages`, { content: 'x' });
    const { seq } = await lastEntry(isHttp);
    const edited = {
      seq,
      method: 'GET',
      path: `/oauth2/authorize?client_id=${APP}&response_type=code`,
      body: '',
    } as const;
    const result = await emulator.operations.call('traffic.resend', edited);
    expect(await entryAt(result.seq)).toMatchObject({ status: 403, byHand: true });
  });
});

it('a webhook is delivered again', async () => {
  const hook = await application(await verifyKeyOf(emulator));
  await emulator.operations.call('webhook.set', { app: APP, url: hook.url });
  const sent = await lastEntry((entry) => entry.kind === 'webhook' && entry.type === 'PING');
  const delivered = (await emulator.operations.call('webhooks.list')).find(({ type }) => type === 'PING');
  await emulator.operations.call('webhook.redeliver', { id: delivered?.id ?? '' });
  await expect.poll(async () => (await entries()).filter(({ kind }) => kind === 'webhook').length).toBe(3);
  const again = await lastEntry(({ kind }) => kind === 'webhook');
  expect(again).toMatchObject({ delivery: delivered?.id, byHand: true });
  const result = await resend({ seq: again.seq });
  expect(result).toMatchObject({ kind: 'webhook', application: APP });
  expect(await entryAt(result.seq)).toMatchObject({ kind: 'webhook', type: 'PING', byHand: true });
  expect(hook.deliveries).toHaveLength(4);
  // The PING of a check is no delivery.
  await expect(resend({ seq: sent.seq })).rejects.toMatchObject({ code: 'FOOTBRIDGE_RESEND_KIND' });
  const edited = { seq: again.seq, body: '{}' };
  await expect(emulator.operations.call('traffic.resend', edited)).rejects.toMatchObject({
    code: 'FOOTBRIDGE_RESEND_EDIT',
  });
});

describe('what only the app itself can send is refused', () => {
  it.each([
    ['AUTHENTICATE', { access_token: 'x' }, undefined, /^AUTHENTICATE gives rights to the session/],
    ['AUTHORIZE', { client_id: APP, scopes: ['rpc'] }, undefined, /^AUTHORIZE gives rights to the session/],
    [
      'GET_GUILDS',
      {},
      undefined,
      /^GET_GUILDS needs rpc, which a session by hand does not have: it never authorizes\. “footbridge call” with --scopes/,
    ],
    ['SUBSCRIBE', { guild_id: GUILD }, 'GUILD_STATUS', /^SUBSCRIBE GUILD_STATUS needs rpc/],
  ])('%s', async (cmd, args, evt, message) => {
    const peer = await app();
    peer.request(cmd, args, evt === undefined ? {} : { evt });
    await peer.answer();
    const { seq } = await lastEntry(requestOf(cmd));
    await expect(resend({ seq })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_RESEND_SESSION',
      message: expect.stringMatching(message) as string,
    });
    expect((await entries()).some((entry) => 'byHand' in entry)).toBe(false);
  });

  it('also if it is written in the place of another command', async () => {
    const peer = await app();
    peer.request('SET_ACTIVITY', { pid: process.pid });
    await peer.answer();
    const { seq } = await lastEntry(requestOf('SET_ACTIVITY'));
    for (const command of ['AUTHENTICATE', 'AUTHORIZE', 'GET_GUILDS'])
      await expect(emulator.operations.call('traffic.resend', { seq, command })).rejects.toMatchObject({
        code: 'FOOTBRIDGE_RESEND_SESSION',
      });
  });

  it('the handshake, an answer, a connection, and a payload of the gateway', async () => {
    await addBot(emulator, APP, GUILD, []);
    const bot = new GatewayConnection(emulator.api);
    onTestFinished(() => bot.socket.terminate());
    await bot.identify(botToken(APP), { intents: 1 });
    await app();
    const refused = async (matches: (entry: JournalEntry) => boolean) =>
      resend(await lastEntry(matches)).then(
        () => 'sent',
        (error: { code: string }) => error.code,
      );
    expect(await refused((entry) => entry.kind === 'frame' && entry.opcode === 0)).toBe(
      'FOOTBRIDGE_RESEND_SESSION',
    );
    expect(await refused((entry) => entry.kind === 'frame' && entry.direction === 'out')).toBe(
      'FOOTBRIDGE_RESEND_KIND',
    );
    expect(await refused((entry) => entry.kind === 'connect')).toBe('FOOTBRIDGE_RESEND_KIND');
    expect(await refused((entry) => entry.kind === 'gateway')).toBe('FOOTBRIDGE_RESEND_SESSION');
  });

  it('a request with the token of a user, with a secret, with wrong credentials, or with files', async () => {
    await addBot(emulator, APP, GUILD, []);
    const { access_token: token } = await emulator.operations
      .call('link.ask', { app: APP })
      .then(() => userToken());
    const form = new FormData();
    form.append('payload_json', '{"content":"look"}');
    form.append('files[0]', new Blob(['bytes']), 'picture.txt');
    const channel = `${emulator.api}/v10/channels/${CHANNEL}/messages`;
    const cases: readonly (readonly [() => Promise<unknown>, string])[] = [
      [
        () => fetch(`${emulator.api}/v10/users/@me`, { headers: { authorization: `Bearer ${token}` } }),
        'TOKEN',
      ],
      [() => post('/v10/oauth2/token', { grant_type: 'client_credentials', client_id: APP }, {}), 'TOKEN'],
      [() => fetch(`${emulator.api}/v10/users/@me`, { headers: { authorization: 'Bot wrong' } }), 'TOKEN'],
      [() => fetch(new URL(`/oauth2/authorize?client_id=${APP}`, emulator.api)), 'SESSION'],
      [() => post('/v10/interactions/1461234567890123456/kept0token/callback', { type: 1 }, {}), 'TOKEN'],
      [() => post('/../overlay/token', { code: 'kept0code' }, {}), 'TOKEN'],
      [() => fetch(channel, { method: 'POST', headers: BOT, body: form }), 'CUT'],
      [() => post(`/v10/channels/${CHANNEL}/messages`, { content: 'x', more: 'y'.repeat(70_000) }), 'CUT'],
    ];
    for (const [send, reason] of cases) {
      await send();
      await expect(resend(await lastEntry(isHttp))).rejects.toMatchObject({
        code: `FOOTBRIDGE_RESEND_${reason}`,
      });
    }
    expect((await entries()).filter((entry) => 'byHand' in entry)).toEqual([]);
  });
});

/** An access token of the user, obtained as an app does. */
async function userToken(): Promise<{ readonly access_token: string }> {
  const peer = await app();
  peer.request('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
  const { data } = await peer.answer();
  const answer = await fetch(`${emulator.api}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', code: data.code, client_id: APP }),
  });
  return (await answer.json()) as { readonly access_token: string };
}

describe('an edited entry is refused', () => {
  beforeEach(() => addBot(emulator, APP, GUILD, []));

  it('with a placeholder of the journal in it', async () => {
    const peer = await app();
    const activity = { state: 'x', secrets: { join: 'kept0join0secret' }, party: { id: 'p', size: [1, 2] } };
    peer.request('SET_ACTIVITY', { pid: process.pid, activity });
    await peer.answer();
    const sent = await lastEntry(requestOf('SET_ACTIVITY'));
    const { args } = JSON.parse(textOf(sent)) as { args: Record<string, unknown> };
    await expect(
      emulator.operations.call('traffic.resend', { seq: sent.seq, args: { ...args, pid: 1 } }),
    ).rejects.toMatchObject({
      code: 'FOOTBRIDGE_RESEND_HIDDEN',
      message: '"[hidden]" stands where the journal hides a value. Write the value in its place.',
    });
    await post(`/v10/channels/${CHANNEL}/messages`, { content: 'The password: swordfish0swordfish' });
    const { seq } = await lastEntry(isHttp);
    for (const edits of [
      { body: '{"content":"The password: [hidden]"}' },
      { path: '/api/v10/webhooks/1/[hidden]' },
    ])
      await expect(emulator.operations.call('traffic.resend', { seq, ...edits })).rejects.toMatchObject({
        code: 'FOOTBRIDGE_RESEND_HIDDEN',
      });
  });

  it.each([
    ['a path for a frame', requestOf('SET_ACTIVITY'), { path: '/x' }, 'EDIT'],
    ['a command for a request', isHttp, { command: 'SET_ACTIVITY' }, 'EDIT'],
    ['a body that is no JSON', isHttp, { body: '{' }, 'EDIT'],
  ])('with %s', async (_, matches, edits, reason) => {
    const peer = await app();
    peer.request('SET_ACTIVITY', { pid: process.pid });
    await peer.answer();
    const { seq } = await lastEntry(matches);
    await expect(emulator.operations.call('traffic.resend', { seq, ...edits })).rejects.toMatchObject({
      code: `FOOTBRIDGE_RESEND_${reason}`,
    });
  });

  it('where it is nested deeper than it can be written', async () => {
    const peer = await app();
    peer.request('SET_ACTIVITY', { pid: process.pid, activity: { state: 'At sea' } });
    await peer.answer();
    const { seq } = await lastEntry(requestOf('SET_ACTIVITY'));
    let args = {};
    for (let depth = 0; depth < 30_000; depth += 1) args = { a: args };
    const edited = (edits: { seq: number; args?: Record<string, unknown>; body?: string }) =>
      emulator.operations.call('traffic.resend', edits);
    await expect(edited({ seq, args })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_RESEND_EDIT',
      message: 'args: are nested too deeply.',
    });
    await addBot(emulator, APP, GUILD, []);
    const request = await lastEntry(isHttp);
    const body = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const { seq: sent } = await edited({ seq: request.seq, body });
    expect(await entryAt(sent)).toMatchObject({ kind: 'http', status: 400, byHand: true });
  });

  it('with a path of more than one line, or another address', async () => {
    const { seq } = await lastEntry(isHttp);
    for (const path of ['/x y', '/x\r\nhost: a', 'http://example.com/', ''])
      await expect(emulator.operations.call('traffic.resend', { seq, path })).rejects.toMatchObject({
        code: 'FOOTBRIDGE_ARGUMENTS',
      });
  });
});

it('an entry that the journal does not have is refused', async () => {
  await expect(resend({ seq: 4711 })).rejects.toMatchObject({
    code: 'FOOTBRIDGE_RESEND_GONE',
    message: 'Entry 4711 is not in the journal (any longer), which has the last entries only.',
  });
});

it('a new session that the bridge refuses is reported with the reason', async () => {
  const peer = await app();
  peer.request('SET_ACTIVITY', { pid: process.pid });
  await peer.answer();
  const { seq } = await lastEntry(requestOf('SET_ACTIVITY'));
  await emulator.operations.call('emulator.apply', { patch: { client: { logged_in: false } } });
  await expect(resend({ seq })).rejects.toMatchObject({
    code: 'FOOTBRIDGE_RESEND_REFUSED',
    message: `The bridge refused a new session of application ${APP}: No user is logged in.`,
  });
});

describe('a fault', () => {
  const addFault = (fault: { fault: string; command?: string; route?: string }) =>
    emulator.operations.call('fault.add', fault);

  it.each([
    ['drops READY', { fault: 'drop' }],
    ['delays READY by longer than a client waits', { fault: 'delay=60000' }],
  ])(
    'that %s refuses the new session, and the refusal comes before the client gives up',
    async (_, fault) => {
      const peer = await app();
      peer.request('SET_ACTIVITY', { pid: process.pid });
      await peer.answer();
      const { seq } = await lastEntry(requestOf('SET_ACTIVITY'));
      await addFault({ ...fault, command: 'HANDSHAKE' });
      await expect(resend({ seq })).rejects.toMatchObject({
        code: 'FOOTBRIDGE_RESEND_REFUSED',
        message: `The bridge refused a new session of application ${APP}: READY has not come within 6 seconds.`,
      });
      expect((await entries()).filter((entry) => 'byHand' in entry && entry.kind === 'frame')).toHaveLength(
        1,
      );
    },
  );

  it('that delays an answer over HTTP leaves the entry without a number', async () => {
    await fetch(`${emulator.api}/v10/gateway`);
    const { seq } = await lastEntry(isHttp);
    await addFault({ fault: 'delay=60000', route: 'GET /gateway' });
    expect(await resend({ seq })).toEqual({ seq: null, kind: 'http', application: null });
  });

  it('that cuts the connection of a request is reported', async () => {
    await fetch(`${emulator.api}/v10/gateway`);
    const { seq } = await lastEntry(isHttp);
    await addFault({ fault: 'drop', route: 'GET /gateway' });
    await expect(resend({ seq })).rejects.toMatchObject({
      message: 'The emulator did not answer the request.',
    });
  });
});
