import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { GatewayConnection } from '../helpers/gateway-connection.ts';
import { PlainWebSocket } from '../helpers/plain-web-socket.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { verifyKeyOf, application as webhookApplication } from '../stories/webhook-app.ts';

const APP = '300000000000000001';
const ORIGIN = 'http://localhost:3000';

/** Texts that must not be found again. */
const planted: string[] = [];
let number = 0;
function canary(name: string): string {
  number += 1;
  const text = `canary-${name}-${number}-kept0secret`;
  planted.push(text);
  return text;
}

let emulator: TestEmulator;
beforeEach(async () => {
  planted.splice(0);
  emulator = await startEmulator({ consent: 'allow' });
  onTestFinished(() => emulator.close());
  await emulator.operations.call('origins.add', { clientId: APP, origin: ORIGIN });
});

/** All that the journal says, after a look that it has what must be in it, and nothing that must not. */
async function journalWith(...wanted: readonly string[]): Promise<void> {
  const { entries } = (await emulator.operations.call('journal.read')) as { entries: unknown[] };
  const text = JSON.stringify(entries);
  for (const part of wanted) expect(text).toContain(part);
  const unescaped = text.replaceAll('\\', '');
  for (const secret of planted) expect(unescaped).not.toContain(secret);
  expect(unescaped).not.toMatch(/canary|kept0secret/);
}

/** Tokens of the application, planted as well. */
async function loggedIn(authorize: (args: object) => Promise<{ readonly code: string }>): Promise<string> {
  const { code } = await authorize({ client_id: APP, scopes: ['identify', 'rpc'] });
  const response = await fetch(`${emulator.api}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: APP,
      client_secret: canary('client-secret'),
    }),
  });
  const { access_token = '', refresh_token = '' } = (await response.json()) as Record<string, string>;
  expect(access_token.length).toBeGreaterThan(10);
  planted.push(code, access_token, refresh_token);
  const again = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id: APP });
  const refreshed = await fetch(`${emulator.api}/oauth2/token?client_secret=${canary('query')}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${APP}:${canary('basic')}`)}` },
    body: again,
  });
  planted.push(btoa(`${APP}:canary`).slice(0, 24));
  const tokens = (await refreshed.json()) as Record<string, string>;
  planted.push(...[tokens['access_token'], tokens['refresh_token']].filter((one) => one !== undefined));
  const token = tokens['access_token'] ?? access_token;
  await fetch(`${emulator.api}/users/@me`, {
    headers: {
      authorization: `Bearer ${token}`,
      link: `<${emulator.api}/a.png?ex=1&hm=${canary('link')}>; rel="preload"`,
      'content-location': `/a.png?hm=${canary('content-location')}`,
      refresh: `0; url=/a.png?ex=1&hm=${canary('refresh')}`,
      'user-agent': `game token=${canary('user-agent')}`,
      accept: `Bearer ${canary('accept')}${'x'.repeat(16)}`,
      dpop: canary('dpop'),
      referer: `http://otter:${canary('referer')}@h/`,
    },
  });
  return token;
}

/** Requests whose arguments hold secrets wherever the protocol has some. */
const holdingSecrets = (): readonly (readonly [string, object])[] => [
  ['AUTHENTICATE', { access_token: canary('wrong-token') }],
  [
    'SET_ACTIVITY',
    { pid: process.pid, activity: { party: { id: 'crew', size: [1, 2] }, secrets: secrets() } },
  ],
  ['INVITE_BROWSER', { code: canary('invite') }],
  ['GIFT_CODE_BROWSER', { code: canary('gift') }],
  ['BROWSER_HANDOFF', { handoffToken: canary('handoff'), fingerprint: canary('fingerprint') }],
  [
    'CONNECTIONS_CALLBACK',
    { providerType: 'x', code: canary('code'), openid_params: { a: canary('openid') }, state: 's' },
  ],
  ['OPEN_EXTERNAL_LINK', { url: `https://x.example/?state=1&access_token=${canary('link')}` }],
  ['GET_GUILDS', { nested: [{ list: [[{ client_secret: [canary('nested')] }]] }] }],
  [
    'GET_GUILDS',
    { text: JSON.stringify({ text: JSON.stringify({ refresh_token: canary('text-in-text') }) }) },
  ],
  ['GET_GUILDS', { form: `grant_type=x&code_verifier=${canary('form')}&x=1` }],
  ['GET_GUILDS', { headers: { Authorization: canary('header') }, line: `Bearer ${canary('bearer')}` }],
];
const secrets = () => ({ join: canary('join'), spectate: canary('spectate'), match: canary('match') });

/** Texts that are no payload, or write a key as JSON allows and nobody does. */
const oddTexts = (): readonly string[] => [
  `{"cmd":"AUTHENTICATE","nonce":"e1","args":{"acc\\u0065ss_tok\\u0065n":"${canary('escaped')}"}}`,
  `{"cmd":"GET_GUILDS","nonce":"e2","args":{"token" \n : \t "${canary('blanks')}"}}`,
  `{"cmd":"GET_GUILDS","nonce":"e3","args":{"token":"${canary('first')}","token":"${canary('second')}"}}`,
];

describe('the journal contains no secret', () => {
  it('of an app over the socket', async () => {
    const app = new AppPeer(await rawPeer(emulator.endpoint));
    await app.handshake(APP);
    const token = await loggedIn(
      async (args) => (await app.call('AUTHORIZE', args)).data as { code: string },
    );
    expect((await app.call('AUTHENTICATE', { access_token: token })).evt).toBe(null);
    await app.subscribe('ACTIVITY_JOIN');
    for (const [cmd, args] of holdingSecrets()) await app.call(cmd, args);
    for (const text of oddTexts()) {
      app.send(Opcode.FRAME, text);
      await app.answer();
    }
    app.send(Opcode.PING, { token: canary('ping') });
    await app.next();
    const activity = { party: { id: 'crew', size: [1, 2] }, secrets: { join: canary('joined') } };
    await app.call('SET_ACTIVITY', { pid: process.pid, activity });
    await emulator.operations.call('activity.join', { app: APP });
    expect(await app.answer()).toMatchObject({ evt: 'ACTIVITY_JOIN', data: { secret: planted.at(-1) } });
    app.send(Opcode.CLOSE, { code: 1000, message: `token=${canary('close')}` });
    await app.next();
    await journalWith('AUTHENTICATE', '[hidden]', 'ACTIVITY_JOIN', 'BROWSER_HANDOFF');
  });

  it.each([
    ['bare text', (text: string) => frameBytes(Opcode.FRAME, text)],
    ['a JSON text alone', (text: string) => frameBytes(Opcode.FRAME, JSON.stringify(text))],
    ['JSON cut off', (text: string) => frameBytes(Opcode.FRAME, `{"access_token":"${text}`)],
    ['no quotes', (text: string) => frameBytes(Opcode.FRAME, `{access_token:${text}}`)],
    ['a form', (text: string) => frameBytes(Opcode.FRAME, `access_token=${text}`)],
    ['a PING of text', (text: string) => frameBytes(Opcode.PING, text)],
    ['a CLOSE of text', (text: string) => frameBytes(Opcode.CLOSE, text)],
    ['an unknown opcode', (text: string) => frameBytes(77 as Opcode, text)],
    ['no UTF-8', (text: string) => frameBytes(Opcode.FRAME, Buffer.from(`\xff${text}`, 'latin1'))],
  ])('of an app that sends %s', async (_what, bytes) => {
    for (const greeted of [true, false]) {
      const app = await rawPeer(emulator.endpoint);
      if (greeted) {
        app.write(frameBytes(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: APP })));
        await app.receive();
      }
      app.write(bytes(canary('odd')));
      await app.receive();
      app.end();
    }
    await journalWith('"in"');
  });

  it('of a page over a WebSocket', async () => {
    const page = new PlainWebSocket(`${emulator.ws}/?v=1&client_id=${APP}&token=${canary('query')}`, ORIGIN);
    expect(await page.opened()).toBe(true);
    await page.next();
    let nonce = 0;
    const call = async (cmd: string, args: object): Promise<{ readonly data: object }> => {
      nonce += 1;
      page.send({ cmd, args, nonce: String(nonce) });
      return page.next();
    };
    const token = await loggedIn(async (args) => (await call('AUTHORIZE', args)).data as { code: string });
    expect(await call('AUTHENTICATE', { access_token: token })).toMatchObject({ evt: null });
    for (const [cmd, args] of holdingSecrets()) await call(cmd, args);
    for (const text of oddTexts()) {
      page.send(text);
      await page.next();
    }
    page.send(canary('no JSON'));
    await page.closed();
    await journalWith('"websocket"', 'AUTHENTICATE', '[hidden]', '(not JSON');
  });

  it('of a page over HTTP', async () => {
    const address = `${emulator.ws.replace('ws:', 'http:')}/rpc?v=1&client_id=${APP}&token=${canary('query')}`;
    const post = (body: string) =>
      fetch(address, {
        method: 'POST',
        headers: { origin: ORIGIN, 'content-type': 'application/json', authorization: canary('header') },
        body,
      });
    for (const [cmd, args] of holdingSecrets()) await post(JSON.stringify({ cmd, args, nonce: '1' }));
    for (const text of [...oddTexts(), canary('bare'), JSON.stringify(canary('text'))]) await post(text);
    await journalWith('"http"', 'INVITE_BROWSER', '[hidden]', '(not JSON');
  });
});

/** Secrets where nothing declares a place for one, as no list of names or patterns finds them. */
const undeclared = (): readonly (readonly [kind: string, payload: object])[] => {
  const encoded = (name: string, how: (text: string) => string): string => {
    const text = how(canary(name));
    planted.push(text);
    return text;
  };
  const get = (args: unknown, nonce = '1') => ({ cmd: 'GET_GUILDS', args, nonce });
  return [
    ['in a nonce', get({}, canary('nonce'))],
    ['as a key', get({ [canary('key')]: true, list: [{ [canary('key in a list')]: null }] })],
    ['as the name of a command', { cmd: canary('command'), args: {}, nonce: '1' }],
    ['as the name of an event', { cmd: 'SUBSCRIBE', evt: canary('event'), args: {}, nonce: '1' }],
    ['in a field of no suspicious name', get({ note: canary('note'), list: [[canary('list')]] })],
    ['as a number', get({ pin: 8_675_309_123, list: [8_675_309_123] })],
    ['in base64', get({ note: encoded('base64', (text) => btoa(`otter:${text}`)) })],
    ['in hexadecimal', get({ note: encoded('hex', (text) => Buffer.from(text).toString('hex')) })],
    ['in percent signs', get({ note: encoded('percent', (text) => text.replaceAll('-', '%2D')) })],
    ['backwards', get({ note: encoded('backwards', (text) => text.split('').reverse().join('')) })],
    ['beside the four members', { ...get({}), note: canary('member') }],
    [
      'in the arguments of an unknown command',
      { cmd: 'NO_SUCH', args: { id: canary('unknown') }, nonce: '1' },
    ],
    ['in the place of another type', { cmd: 'SET_ACTIVITY', args: { pid: canary('pid') }, nonce: '1' }],
    ['in the place of the arguments', { cmd: 'GET_GUILDS', args: canary('arguments'), nonce: '1' }],
  ];
};

describe('the journal contains no undeclared secret', () => {
  it.each(['the socket', 'a WebSocket', 'HTTP'])('of an app over %s', async (over) => {
    const payloads = undeclared().map(([, payload]) => payload);
    planted.push('8675309123');
    if (over === 'the socket') {
      const app = new AppPeer(await rawPeer(emulator.endpoint));
      await app.handshake(APP);
      for (const payload of payloads) {
        app.send(Opcode.FRAME, payload);
        await app.answer();
      }
      for (const opcode of [Opcode.PING, Opcode.PONG]) app.send(opcode, { [canary('key')]: canary('value') });
      await app.next();
      app.send(Opcode.CLOSE, { code: 1000, message: canary('close reason') });
      await app.next();
    } else if (over === 'a WebSocket') {
      const page = new PlainWebSocket(`${emulator.ws}/?v=1&client_id=${APP}`, ORIGIN);
      expect(await page.opened()).toBe(true);
      await page.next();
      for (const payload of payloads) {
        page.send(payload);
        await page.next();
      }
    } else {
      const address = `${emulator.ws.replace('ws:', 'http:')}/rpc?v=1&client_id=${APP}`;
      const headers = { origin: ORIGIN, 'content-type': 'application/json' };
      for (const payload of payloads)
        await fetch(address, { method: 'POST', headers, body: JSON.stringify(payload) });
    }
    await journalWith('GET_GUILDS', 'string(');
  });

  it('of an app that sends an undeclared key or text in a HANDSHAKE', async () => {
    const app = await rawPeer(emulator.endpoint);
    const hello = { v: 1, client_id: APP, [canary('key')]: 1, note: canary('note') };
    app.write(frameBytes(Opcode.HANDSHAKE, JSON.stringify(hello)));
    await app.receive();
    app.end();
    await journalWith(APP);
  });
});

const BOT = { authorization: `Bot ${Buffer.from(APP).toString('base64url')}.emulator.bot` };
const GUILD = '400000000000000001';
const CHANNEL = '500000000000000002';

async function withBot(): Promise<void> {
  const users = [{ id: APP, username: 'harbour', bot: true }];
  const guilds = [{ id: GUILD, owner: APP, members: [{ user: APP }] }];
  const patch = { applications: [{ id: APP, bot_user: APP }], users, guilds };
  await emulator.operations.call('emulator.apply', { patch });
}

/** The same six kinds in the data of a payload: nonce, key, undeclared field, number, encoded text, another type. */
function undeclaredData(): Readonly<Record<string, unknown>> {
  const encoded = [
    btoa(`otter:${canary('base64')}`),
    Buffer.from(canary('hex')).toString('hex'),
    canary('backwards').split('').reverse().join(''),
    canary('percent').replaceAll('-', '%2D'),
  ];
  planted.push('8675309123', ...encoded);
  return {
    nonce: canary('nonce'),
    [canary('key')]: true,
    note: canary('note'),
    list: [[canary('list')], { [canary('key in a list')]: null }],
    pin: 8_675_309_123,
    pins: [8_675_309_123],
    encoded,
  };
}

describe('the journal of the platform contains no undeclared secret', () => {
  it('of a bot over HTTP', async () => {
    await withBot();
    const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      fetch(`${emulator.api}${path}`, {
        method,
        headers: {
          ...BOT,
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const messages = `/v10/channels/${CHANNEL}/messages`;
    await send('POST', messages, { content: 'Who is up?', ...undeclaredData() });
    await send('POST', messages, { content: 'in words', allowed_mentions: undeclaredData() });
    await send('POST', messages, { content: undeclaredData(), tts: canary('tts'), flags: canary('flags') });
    await send('POST', messages, { content: 'x', message_reference: { message_id: canary('id') } });
    await send('POST', messages, [canary('in a list')]);
    await send('POST', messages, canary('text'));
    await send('POST', '/v10/oauth2/token', { grant_type: canary('grant'), ...undeclaredData() });
    await send('GET', `/v10/users/@me/guilds?${canary('name')}=1&note=${canary('query')}&pin=8675309123`);
    await send('GET', `/v10/users/@me/guilds?limit=${canary('limit')}&before=${canary('before')}`);
    for (const path of [canary('path'), `channels/${canary('id')}`, `${APP}/canary`, `webhooks/1/canary`])
      await send('GET', `/v10/${path}?x=${canary('x')}`);
    await send('GET', `/v10/invites/${canary('invite')}`);
    await send('PUT', `${messages}/1/reactions/${encodeURIComponent(`a?token=${canary('emoji')}`)}/@me`);
    await send('GET', '/v10/users/@me', undefined, {
      [canary('header-name')]: '1',
      'x-note': canary('header'),
      'x-number': '8675309123',
      'x-encoded': btoa(canary('header in base64')),
    });
    await journalWith('Who is up?', '/users/@me/guilds?', 'string(', '(key of');
  });

  it('of a client of the gateway', async () => {
    await withBot();
    const bot = new GatewayConnection(emulator.api);
    onTestFinished(() => bot.socket.terminate());
    const properties = { os: 'linux', ...undeclaredData() };
    await bot.identify(BOT.authorization.slice(4), { intents: 1, properties, ...undeclaredData() });
    await bot.event('GUILD_CREATE');
    const d = { guild_id: GUILD, query: '', limit: 1 };
    bot.socket.send(JSON.stringify({ op: 8, d: { ...d, ...undeclaredData() }, note: canary('member') }));
    bot.socket.send(JSON.stringify({ op: 1, d: canary('heartbeat') }));
    const presence = { status: 'online', afk: false, since: null, activities: [], ...undeclaredData() };
    bot.socket.send(JSON.stringify({ op: 3, d: presence, t: canary('event'), s: canary('sequence') }));
    bot.socket.send(canary('no JSON'));
    await bot.closed;
    const other = new GatewayConnection(emulator.api);
    onTestFinished(() => other.socket.terminate());
    await other.op(10);
    other.socket.send(JSON.stringify({ op: canary('opcode'), d: undeclaredData(), [canary('key')]: 1 }));
    await other.closed;
    await journalWith('GUILD_CREATE', 'linux', 'string(', '(key of', '(not JSON');
  });

  it('of a delivery to an application over HTTP', async () => {
    await withBot();
    const app = await webhookApplication(await verifyKeyOf(emulator));
    const secret = `${app.url}/${canary('path')}?${canary('name')}=1&note=${canary('query')}`;
    await emulator.operations.call('webhook.set', { app: APP, url: secret });
    const [delivery] = (await emulator.operations.call('webhooks.list')) as readonly { id: string }[];
    expect(delivery).toBeDefined();
    await journalWith('"webhook"', APP, app.url);
  });
});

it('the journal contains declared fields in full', async () => {
  const app = new AppPeer(await rawPeer(emulator.endpoint));
  await app.handshake(APP);
  const activity = {
    details: 'In the harbour',
    state: 'Rowing',
    party: { id: 'crew', size: [1, 2] },
    instance: true,
  };
  await app.call('SET_ACTIVITY', { pid: process.pid, activity });
  await app.subscribe('GUILD_STATUS', { guild_id: '400000000000000001' });
  const texts = emulator
    .journal({ kinds: ['frame'] })
    .map((entry) => ('payload' in entry ? entry.payload : {}));
  expect(texts).toContainEqual({ cmd: 'SET_ACTIVITY', args: { pid: process.pid, activity }, nonce: 'n1' });
  expect(texts).toContainEqual(
    expect.objectContaining({
      cmd: 'SUBSCRIBE',
      args: { guild_id: '400000000000000001' },
      evt: 'GUILD_STATUS',
    }),
  );
  expect(texts).toContainEqual(
    expect.objectContaining({
      evt: 'READY',
      data: expect.objectContaining({ user: expect.objectContaining({ username: 'river' }) }),
    }),
  );
});
