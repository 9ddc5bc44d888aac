import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { memoryChoiceStore } from '../../../src/core/upstream/choice.ts';
import { eventually } from '../../helpers/eventually.ts';
import { activity, severalBridge } from '../../helpers/several-clients.ts';

const ONE = '200000000000000001';
const TWO = '200000000000000002';
const THREE = '200000000000000003';

const away = { evt: 'ERROR', data: { code: 1001 } };

/** A bridge in front of three clients, the first of which is primary, and one app that shows a presence. */
async function threeClients(options: Parameters<typeof severalBridge>[0] = {}) {
  const bridge = await severalBridge(options);
  const clients = [await bridge.client(1, ONE), await bridge.client(2, TWO), await bridge.client(3, THREE)];
  const app = await bridge.app();
  const shown = () => clients.map((client) => client.shown);
  await app.call('SET_ACTIVITY', activity('first'));
  return { ...bridge, clients, app, another: (id?: string) => bridge.app(id), shown };
}

describe('presence at several clients', () => {
  it('goes to every client that answers, and is answered by the primary one', async () => {
    const { app, shown, clients } = await threeClients();
    await eventually(() => expect(shown()).toEqual([['first'], ['first'], ['first']]));
    expect(await app.call('SET_ACTIVITY', activity('second'))).toMatchObject({
      evt: null,
      data: { details: 'second' },
    });
    await eventually(() => expect(shown()).toEqual([['second'], ['second'], ['second']]));
    expect(await app.call('SET_ACTIVITY', activity(null))).toMatchObject({ evt: null, data: null });
    await eventually(() => expect(shown()).toEqual([[], [], []]));
    // The client id of the app, and no request but its presence.
    const [session] = clients[1]?.sessions ?? [];
    expect(session?.clientId).toBe(clients[0]?.sessions[0]?.clientId);
    expect(new Set(session?.requests.map(({ cmd }) => cmd))).toEqual(new Set(['SET_ACTIVITY']));
  });

  it('leaves requests and events to the primary client', async () => {
    const { app, clients } = await threeClients();
    expect(await app.call('GET_GUILDS')).toMatchObject({ data: { by: ONE } });
    clients[1]?.sessions[0]?.event('VOICE_SETTINGS_UPDATE', {});
    expect(await app.rest()).toEqual([]);
  });

  it('opens no connection to a further client for an app without a presence', async () => {
    const bridge = await severalBridge();
    const [, second] = [await bridge.client(1, ONE), await bridge.client(2, TWO)];
    const app = await bridge.app();
    await eventually(async () => expect((await bridge.call('upstream.list')).clients).toHaveLength(2));
    await app.call('SET_ACTIVITY', activity(null));
    await app.rest();
    expect(second?.sessions).toEqual([]);
  });

  it('ends at every client with the connection of the app', async () => {
    const { app, shown } = await threeClients();
    await eventually(() => expect(shown()).toEqual([['first'], ['first'], ['first']]));
    app.end();
    await eventually(() => expect(shown()).toEqual([[], [], []]));
  });

  it('reaches a client that starts later', async () => {
    const bridge = await severalBridge();
    await bridge.client(1, ONE);
    const app = await bridge.app();
    await app.call('SET_ACTIVITY', activity('early'));
    const late = await bridge.client(4, TWO);
    await eventually(() => expect(late.shown).toEqual(['early']));
    await late.stop();
    await eventually(async () =>
      expect((await bridge.call('upstream.list')).clients[1]).toMatchObject({
        name: 'client-4',
        state: 'away',
      }),
    );
    await app.call('SET_ACTIVITY', activity('meanwhile'));
    await late.start();
    await eventually(() => expect(late.shown).toEqual(['meanwhile']));
  });

  it('stays at the other clients when one of them leaves', async () => {
    const { app, clients, shown } = await threeClients();
    await eventually(() => expect(shown()).toEqual([['first'], ['first'], ['first']]));
    await clients[1]?.stop();
    expect(await app.call('SET_ACTIVITY', activity('after'))).toMatchObject({ data: { details: 'after' } });
    await eventually(() => expect(shown()).toEqual([['after'], [], ['after']]));
  });

  it('reaches the other clients while the primary one is away, and the app gets an error', async () => {
    const bridge = await severalBridge({ store: chosen({ primary: 'client-1', only: null }) });
    const [first, second] = [await bridge.client(1, ONE), await bridge.client(2, TWO)];
    const app = await bridge.app();
    await app.call('SET_ACTIVITY', activity('before'));
    await eventually(() => expect(second?.shown).toEqual(['before']));
    await first?.stop();
    expect(await app.call('SET_ACTIVITY', activity('alone'))).toMatchObject(away);
    await eventually(() => expect(second?.shown).toEqual(['alone']));
  });

  it('stays as it was at every client where the primary client refuses an update', async () => {
    const bridge = await severalBridge();
    await bridge.client(1, ONE, {
      request: (session, request) => {
        const { cmd, nonce, args } = request;
        if ((args.activity as { details: string }).details !== 'bad') return session.answer(request);
        session.payload({ cmd, nonce, evt: 'ERROR', data: { code: 4000, message: 'bad' } });
      },
    });
    const second = await bridge.client(2, TWO);
    const app = await bridge.app();
    await app.call('SET_ACTIVITY', activity('good'));
    await eventually(() => expect(second.shown).toEqual(['good']));
    expect(await app.call('SET_ACTIVITY', activity('bad'))).toMatchObject({
      evt: 'ERROR',
      data: { code: 4000 },
    });
    // A client that waited too long for the primary one's answer has shown the refused update for a moment.
    await eventually(() => expect(second.shown).toEqual(['good']));
    await app.call('SET_ACTIVITY', activity('better'));
    await eventually(() => expect(second.shown).toEqual(['better']));
  });

  it('has no more connections than the pool allows', async () => {
    const { clients, shown } = await threeClients({ maxLinks: 1 });
    await eventually(() => expect(shown()).toEqual([['first'], ['first'], []]));
    expect(clients[2]?.sessions).toEqual([]);
  });
});

describe('a client that misbehaves', () => {
  it.each<[string, Parameters<Awaited<ReturnType<typeof severalBridge>>['client']>[2]]>([
    ['never answers the handshake', { handshake: () => {} }],
    ['never answers a request', { request: () => {} }],
    [
      'floods events',
      {
        request: (session) => {
          for (let n = 0; n < 20_000; n++) session.event('X', { n });
        },
      },
    ],
    [
      'sends no JSON',
      { request: (session) => void session.socket.write(Buffer.from([1, 0, 0, 0, 1, 0, 0, 0, 1])) },
    ],
    ['closes each connection', { request: (session) => session.close(1000, 'no') }],
    ['refuses each app', { handshake: (session) => session.close(4000, 'Invalid Client ID') }],
  ])('and %s delays neither the app nor the other clients', async (_, script) => {
    const bridge = await severalBridge();
    const first = await bridge.client(1, ONE);
    await bridge.client(2, TWO, script);
    const third = await bridge.client(3, THREE);
    const app = await bridge.app();
    for (let n = 0; n < 30; n++) {
      expect(await app.call('SET_ACTIVITY', activity(`n${n}`))).toMatchObject({ data: { details: `n${n}` } });
      await delay(5);
    }
    await eventually(() => expect([first.shown, third.shown]).toEqual([['n29'], ['n29']]));
  });

  it('and is slow gets the last presence, not each one', async () => {
    const bridge = await severalBridge();
    await bridge.client(1, ONE);
    const answers: (() => void)[] = [];
    const slow = await bridge.client(2, TWO, {
      request: (session, request) => void answers.push(() => session.answer(request)),
    });
    const app = await bridge.app();
    await app.call('SET_ACTIVITY', activity('n0'));
    const session = await slow.session(0, 2);
    for (let n = 1; n <= 20; n++) await app.call('SET_ACTIVITY', activity(`n${n}`));
    expect(session.requests).toHaveLength(1);
    answers.shift()?.();
    await eventually(() => expect(session.requests).toHaveLength(2));
    expect(session.requests[1]?.args).toMatchObject({ activity: { details: 'n20' } });
  });

  it('and does not answer a clear loses its connection', async () => {
    const bridge = await severalBridge();
    await bridge.client(1, ONE);
    const hung = await bridge.client(2, TWO, { request: () => {} });
    const app = await bridge.app();
    await app.call('SET_ACTIVITY', activity('shown'));
    const session = await hung.session(0, 2);
    const closed = new Promise((resolve) => session.socket.once('close', resolve));
    await app.call('SET_ACTIVITY', activity(null));
    await closed;
    expect(session.requests.map(({ args }) => args.activity)).toEqual([{ details: 'shown' }, null]);
  });
});

function chosen(choice: { primary: string | null; only: readonly string[] | null }) {
  const store = memoryChoiceStore();
  store.save(choice);
  return store;
}

describe('the choice of clients for presence', () => {
  it('applies at once, to what is shown already and to what comes', async () => {
    const { app, call, shown } = await threeClients();
    await eventually(() => expect(shown()).toEqual([['first'], ['first'], ['first']]));
    expect(await call('upstream.only', { names: ['client-3'] })).toMatchObject({
      only: ['client-3'],
      stored: true,
    });
    await eventually(() => expect(shown()).toEqual([[], [], ['first']]));
    // The primary client shows nothing, so the answer has no activity.
    expect(await app.call('SET_ACTIVITY', activity('second'))).toMatchObject({ evt: null, data: null });
    await eventually(() => expect(shown()).toEqual([[], [], ['second']]));
    await call('upstream.only', { names: null });
    await eventually(() => expect(shown()).toEqual([['second'], ['second'], ['second']]));
  });

  it.each<[readonly string[], readonly (readonly string[])[]]>([
    [['CLIENT-2'], [[], ['first'], []]],
    [['client-*'], [['first'], ['first'], ['first']]],
    [
      ['*-3', 'client-1'],
      [['first'], [], ['first']],
    ],
    [[`user:${TWO}`], [[], ['first'], []]],
    [['user:*'], [['first'], ['first'], ['first']]],
    [['vesktop'], [[], [], []]],
  ])('selects %j', async (only, expected) => {
    const { shown, clients } = await threeClients({ store: chosen({ primary: null, only }) });
    await eventually(() => expect(shown()).toEqual(expected));
    // An account is learned with a handshake, and no client that is not selected is told the activity.
    const told = clients.map(({ sessions }) =>
      sessions.flatMap(({ requests }) => requests).some(({ args }) => args.activity !== null),
    );
    expect(told).toEqual(expected.map((one) => one.length > 0));
  });

  it('stores the paths of clients of one build, and of no others', async () => {
    const store = memoryChoiceStore();
    const { call } = await threeClients({ store });
    await call('upstream.only', { names: ['client-2'] });
    expect(store.load().places).toEqual({});
  });

  it('keeps a name that is away, and refuses an unknown one with the nearest', async () => {
    const { call } = await threeClients();
    await call('upstream.only', { names: ['client-2', 'vesktop'] });
    expect((await call('upstream.list')).clients).toMatchObject([
      { name: 'client-1', state: 'here', primary: true, selected: false },
      { name: 'client-2', state: 'here', primary: false, selected: true },
      { name: 'client-3', state: 'here', primary: false, selected: false },
      { name: 'vesktop', state: 'away', primary: false, selected: true, path: null },
    ]);
    await expect(call('upstream.only', { names: ['vesktpo'] })).rejects.toThrow(
      'No chat client is called "vesktpo" (known: client-1, client-2, client-3, vesktop). Did you mean "vesktop"?',
    );
    await expect(call('upstream.primary', { name: 'client-*' })).rejects.toThrow('One client is primary');
    await expect(call('upstream.primary', { name: 'user:1' })).rejects.toThrow(
      'No known chat client is logged in as user:1',
    );
  });

  it('lists account, path and number of shown apps of each client', async () => {
    const { call, shown, clients } = await threeClients();
    await eventually(() => expect(shown()).toEqual([['first'], ['first'], ['first']]));
    const { chosen, only, clients: listed } = await call('upstream.list');
    expect([chosen, only]).toEqual([null, null]);
    expect(listed).toMatchObject(
      [ONE, TWO, THREE].map((id, at) => ({ user: { id }, path: clients[at]?.path, apps: 1, selected: true })),
    );
  });
});

describe('a change of the primary client', () => {
  it('moves apps without a token, which go on with the new client', async () => {
    const { app, call, shown } = await threeClients();
    await app.subscribe('VOICE_SETTINGS_UPDATE');
    expect(await call('upstream.primary', { name: 'client-2' })).toEqual({
      primary: 'client-2',
      moved: 1,
      ended: 0,
      endedFrom: [],
      stayed: 0,
      stored: true,
    });
    expect(await app.call('GET_GUILDS')).toMatchObject({ data: { by: TWO } });
    await eventually(() => expect(shown()).toEqual([['first'], ['first'], ['first']]));
    await app.call('SET_ACTIVITY', activity('second'));
    await eventually(() => expect(shown()).toEqual([['second'], ['second'], ['second']]));
  });

  it('repeats the subscriptions of the app at the new client', async () => {
    const { app, call, clients } = await threeClients();
    await app.subscribe('VOICE_SETTINGS_UPDATE');
    await call('upstream.primary', { name: 'client-3' });
    await eventually(() =>
      expect(clients[2]?.sessions.flatMap(({ requests }) => requests.map(({ cmd }) => cmd))).toContain(
        'SUBSCRIBE',
      ),
    );
    const [session] =
      clients[2]?.sessions.filter(({ requests }) => requests.some(({ cmd }) => cmd === 'SUBSCRIBE')) ?? [];
    session?.event('VOICE_SETTINGS_UPDATE', { mute: true });
    expect(await app.answer()).toMatchObject({ evt: 'VOICE_SETTINGS_UPDATE', data: { mute: true } });
  });

  it('ends only the apps whose token is not valid there, and names the client of the tokens', async () => {
    const { app, another, call, log } = await threeClients();
    const other = await another('300000000000000002');
    await app.call('AUTHENTICATE', { access_token: `token of ${ONE}` });
    expect(await call('upstream.primary', { name: 'client-2' })).toMatchObject({
      moved: 1,
      ended: 1,
      endedFrom: ['client-1'],
    });
    expect(await app.closed()).toEqual({
      code: 1000,
      message: 'Another chat client answers now; connect again',
    });
    expect(await other.call('GET_GUILDS')).toMatchObject({ data: { by: TWO } });
    expect(log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'apps must connect again: the primary chat client does not accept their tokens',
        count: 1,
      }),
    );
  });

  it('keeps an app whose token is valid there', async () => {
    const bridge = await severalBridge();
    await bridge.client(1, ONE);
    await bridge.client(2, ONE);
    const app = await bridge.app();
    await app.call('AUTHENTICATE', { access_token: `token of ${ONE}` });
    await app.call('SET_ACTIVITY', activity('x'));
    expect(await bridge.call('upstream.primary', { name: 'client-2' })).toMatchObject({ moved: 1, ended: 0 });
    expect(await app.call('GET_GUILDS')).toMatchObject({ evt: null });
  });

  it('waits for a client that is away, and moves the apps when it comes', async () => {
    const bridge = await severalBridge();
    await bridge.client(1, ONE);
    const app = await bridge.app();
    expect(await bridge.call('upstream.primary', { name: 'client-5' })).toMatchObject({
      primary: 'client-5',
      moved: 0,
    });
    expect(await app.call('GET_GUILDS')).toMatchObject({ data: { by: ONE } });
    await bridge.client(5, TWO);
    await eventually(async () => expect(await app.call('GET_GUILDS')).toMatchObject({ data: { by: TWO } }));
  });

  it('answers a request that the client before has not answered yet', async () => {
    const bridge = await severalBridge();
    const pending: (() => void)[] = [];
    await bridge.client(1, ONE, {
      request: (session, request) => void pending.push(() => session.answer(request, { by: 'late' })),
    });
    await bridge.client(2, TWO);
    const app = await bridge.app();
    const nonce = app.request('GET_GUILDS');
    await eventually(() => expect(pending).toHaveLength(1));
    await bridge.call('upstream.primary', { name: 'client-2' });
    pending[0]?.();
    expect(await app.answer()).toMatchObject({ nonce, data: { by: 'late' } });
    expect(await app.call('GET_GUILDS')).toMatchObject({ data: { by: TWO } });
  });

  it('is final: no other client answers new apps while the chosen one is away', async () => {
    const bridge = await severalBridge({ store: chosen({ primary: 'stable', only: null }) });
    await bridge.client(1, ONE);
    expect(await bridge.call('upstream.status')).toMatchObject({
      present: false,
      why: 'The primary chat client "stable" is away. Start it, or choose another one: footbridge upstream primary NAME, or auto for the first that answers.',
    });
    await bridge.call('upstream.primary', { name: 'auto' });
    expect(await bridge.call('upstream.status')).toMatchObject({ present: true, clients: ['client-1'] });
  });
});

describe('a client that the user has left out', () => {
  const activities = (client: Awaited<ReturnType<typeof threeClients>>['clients'][number] | undefined) =>
    client?.sessions.flatMap(({ requests }) => requests.map(({ args }) => args.activity)).filter(Boolean);

  it('is not told the activity when it becomes primary, by itself or by a choice', async () => {
    const { app, call, clients } = await threeClients({
      store: chosen({ primary: null, only: ['client-1'] }),
    });
    await clients[0]?.stop();
    await eventually(async () => expect(await app.call('GET_GUILDS')).toMatchObject({ data: { by: TWO } }));
    expect(await app.call('SET_ACTIVITY', activity('second'))).toMatchObject({ evt: null, data: null });
    await call('upstream.primary', { name: 'client-3' });
    expect(await app.call('GET_GUILDS')).toMatchObject({ data: { by: THREE } });
    await clients[0]?.start();
    await eventually(() => expect(clients[0]?.shown).toEqual(['second']));
    expect([activities(clients[1]), activities(clients[2])]).toEqual([[], []]);
    await call('upstream.only', { names: ['client-3'] });
    await eventually(() => expect([clients[0]?.shown, clients[2]?.shown]).toEqual([[], ['second']]));
  });
});

describe('a primary client that leaves without a choice of the user', () => {
  it('leaves an app without a token to another client', async () => {
    const { app, clients } = await threeClients();
    await clients[0]?.stop();
    await eventually(async () => expect(await app.call('GET_GUILDS')).toMatchObject({ data: { by: TWO } }));
  });

  it('is waited for by an app whose token no other client accepts', async () => {
    const { app, another, clients } = await threeClients();
    await app.call('AUTHENTICATE', { access_token: `token of ${ONE}` });
    await clients[0]?.stop();
    const later = await another();
    expect(await later.call('GET_GUILDS')).toMatchObject({ data: { by: TWO } });
    expect(await app.call('GET_GUILDS')).toMatchObject(away);
    await clients[0]?.start();
    await eventually(async () => expect(await app.call('GET_GUILDS')).toMatchObject({ data: { by: ONE } }));
  });
});
