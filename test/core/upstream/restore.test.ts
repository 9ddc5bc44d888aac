import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Opcode } from '../../../src/wire/codes.ts';
import type { AppPeer } from '../../helpers/app-peer.ts';
import { fakeReady, later } from '../../helpers/fake-core.ts';
import { concatBytes, frameBytes } from '../../helpers/frame-bytes.ts';
import type { Script, ScriptedRequest, ScriptedSession } from '../../helpers/scripted-client.ts';
import { upstreamBridge } from '../../helpers/upstream-bridge.ts';

const AWAY = 1001;
const payload = (body: object): Uint8Array => frameBytes(Opcode.FRAME, JSON.stringify(body));
const dispatch = (evt: string, data: unknown): Uint8Array =>
  payload({ cmd: 'DISPATCH', data, evt, nonce: null });
const refuse = (session: ScriptedSession, { cmd, nonce }: ScriptedRequest, code: number): void =>
  session.payload({ cmd, data: { code, message: 'no' }, evt: 'ERROR', nonce });

/** Asks until something else than "away" is answered; events in between are left out. */
async function untilBack(peer: AppPeer, ms = 3000) {
  const begun = performance.now();
  for (;;) {
    peer.request('GET_GUILDS');
    let answer = await peer.answer();
    while (answer.nonce === null) answer = await peer.answer();
    if (answer.data?.code !== AWAY) return answer;
    if (performance.now() - begun > ms) throw new Error(`still away after ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Answers everything until `stop` was called the first time, and from then on as `script` says. */
function afterRestart(script: NonNullable<Script['request']>) {
  return {
    request(session: ScriptedSession, request: ScriptedRequest): void {
      const { cmd } = request;
      if (restarted(session)) return script(session, request);
      session.answer(request, cmd === 'AUTHENTICATE' ? { scopes: ['rpc'] } : { evt: request.evt });
    },
  };
}
const firstSessions = new WeakMap<object, boolean>();
const restarted = (session: ScriptedSession): boolean => firstSessions.get(session) !== true;

async function establish(script: NonNullable<Script['request']>, more: { restoreMs?: number } = {}) {
  const bridge = await upstreamBridge({
    ...more,
    script: {
      ...afterRestart(script),
      handshake(session) {
        if (bridgeSessions === 0) firstSessions.set(session, true);
        bridgeSessions += 1;
        session.ready();
      },
    },
  });
  const peer = await bridge.app();
  await peer.call('AUTHENTICATE', { access_token: 'token-1' });
  await peer.call('SUBSCRIBE', {}, { evt: 'VOICE_SETTINGS_UPDATE' });
  await peer.call('SUBSCRIBE', { channel_id: '2' }, { evt: 'SPEAKING_START' });
  await peer.call('SET_ACTIVITY', { pid: 7, activity: { state: 'one' } });
  return { ...bridge, peer };
}
let bridgeSessions = 0;
beforeEach(() => {
  bridgeSessions = 0;
});

const names = (requests: readonly ScriptedRequest[]): string[] =>
  requests.map(({ cmd, evt }) => (evt === undefined ? cmd : `${cmd} ${evt}`));
const ALL = ['AUTHENTICATE', 'SUBSCRIBE VOICE_SETTINGS_UPDATE', 'SUBSCRIBE SPEAKING_START', 'SET_ACTIVITY'];

describe('the handling of READY', () => {
  const ready = payload({ cmd: 'DISPATCH', data: fakeReady, evt: 'READY', nonce: null });
  it('loses no event of the same chunk, either at first or after a restart', async () => {
    let round = 0;
    const { client, app } = await upstreamBridge({
      script: {
        handshake(session) {
          round += 1;
          session.socket.write(concatBytes(ready, dispatch('ONE', { round }), dispatch('TWO', { round })));
        },
      },
    });
    const peer = await app();
    expect([await peer.answer(), await peer.answer()]).toMatchObject([
      { evt: 'ONE', data: { round: 1 } },
      { evt: 'TWO', data: { round: 1 } },
    ]);
    await client.restart();
    await client.session(1);
    expect([await peer.answer(), await peer.answer()]).toMatchObject([
      { evt: 'ONE', data: { round: 2 } },
      { evt: 'TWO', data: { round: 2 } },
    ]);
  });

  it('accepts a CLOSE in the same chunk: the session reconnects, or ends as the code requires', async () => {
    let code = 1000;
    let round = 0;
    const close = (): Uint8Array => frameBytes(Opcode.CLOSE, JSON.stringify({ code, message: 'bye' }));
    const { app } = await upstreamBridge({
      script: {
        handshake(session) {
          round += 1;
          session.socket.end(round === 3 ? ready : concatBytes(ready, close()));
          if (round === 3) code = 4003;
        },
      },
    });
    expect(await (await app()).closed()).toEqual({ code: 4003, message: 'bye' });
    expect(round).toBe(4);
  });

  it('never forwards READY a second time', async () => {
    const { client, app } = await upstreamBridge();
    const peer = await app();
    (await client.session(0)).ready();
    expect(await peer.call('GET_GUILDS')).toMatchObject({ evt: null });
    expect(await peer.rest()).toEqual([]);
  });

  it('fails the handshake with 1006 when READY is too large for any app', async () => {
    const huge = { ...fakeReady, more: 'x'.repeat(100_000) };
    const { connect } = await upstreamBridge({ script: { handshake: (s) => s.ready(huge) } });
    const app = connect();
    app.send(Opcode.HANDSHAKE, { v: 1, client_id: '300000000000000002' });
    expect(await app.closed()).toMatchObject({ code: 1006 });
  });
});

describe('the restoration after a restart [R09, R10]', () => {
  it.each([
    ['SUBSCRIBE', 'is never answered'],
    ['SET_ACTIVITY', 'is never answered'],
    ['SUBSCRIBE', 'is refused'],
    ['SET_ACTIVITY', 'is refused'],
  ])('does not wait for a %s that %s', async (which, how) => {
    const { client, peer } = await establish((session, request) => {
      if (request.cmd !== which) return session.answer(request, { scopes: ['rpc'] });
      if (how === 'is refused') refuse(session, request, 4003);
    });
    await client.restart();
    const begun = performance.now();
    expect(await untilBack(peer)).toMatchObject({ evt: null });
    expect(performance.now() - begun).toBeLessThan(2000);
    expect(client.sessions).toHaveLength(2);
    expect(names((await client.session(1, 6)).requests)).toEqual([...ALL, 'GET_GUILDS']);
    expect((await peer.rest()).map(({ body }) => body)).toEqual([]);
  });

  it('continues without the token when AUTHENTICATE is never answered', async () => {
    const { client, peer } = await establish(
      (session, request) => {
        if (request.cmd !== 'AUTHENTICATE') session.answer(request);
      },
      { restoreMs: 200 },
    );
    await client.restart();
    expect(await untilBack(peer)).toMatchObject({ evt: null });
    expect(client.sessions).toHaveLength(2);
    const session = await client.session(1, 3);
    // Without the token subscriptions would be refused for good; presence needs none.
    expect(names(session.requests).slice(0, 2)).toEqual(['AUTHENTICATE', 'SET_ACTIVITY']);
  });

  it('repeats the subscriptions once a late AUTHENTICATE succeeds', async () => {
    const held = later<ScriptedRequest>();
    const { client, peer } = await establish(
      (session, request) => {
        if (request.cmd === 'AUTHENTICATE') held.resolve(request);
        else session.answer(request);
      },
      { restoreMs: 100 },
    );
    await client.restart();
    await untilBack(peer);
    const session = await client.session(1);
    session.answer(await held.promise, { scopes: ['rpc'] });
    await vi.waitUntil(() => names(session.requests).includes('SUBSCRIBE SPEAKING_START'));
    expect(names(session.requests).filter((name) => name.startsWith('SUBSCRIBE'))).toEqual(ALL.slice(1, 3));
    expect(await peer.call('GET_GUILDS')).toMatchObject({ evt: null });
  });

  it('ends the session when the token is refused late', async () => {
    const held = later<ScriptedRequest>();
    const { client, peer } = await establish(
      (session, request) => {
        if (request.cmd === 'AUTHENTICATE') held.resolve(request);
        else session.answer(request);
      },
      { restoreMs: 100 },
    );
    await client.restart();
    await untilBack(peer);
    refuse(await client.session(1), await held.promise, 4009);
    expect(await peer.closed()).toEqual({ code: 4003, message: 'Token revoked' });
  });

  it('stops after a few attempts when AUTHENTICATE returns only errors', async () => {
    const { client, peer } = await establish((session, request) => {
      if (request.cmd === 'AUTHENTICATE') refuse(session, request, 1000);
      else if (request.cmd === 'GET_GUILDS') refuse(session, request, 4006);
      else session.answer(request);
    });
    await client.restart();
    // The app learns from the client that it has to authenticate again.
    expect(await untilBack(peer)).toMatchObject({ data: { code: 4006 } });
    const { length } = client.sessions;
    expect(length).toBeLessThanOrEqual(5);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(client.sessions).toHaveLength(length);
    expect(await peer.call('AUTHENTICATE', { access_token: 'token-2' })).toMatchObject({ evt: 'ERROR' });
  });

  it('omits an activity that was cleared during the restoration', async () => {
    const held = later<() => void>();
    const { client, peer } = await establish((session, request) => {
      if (request.cmd === 'AUTHENTICATE') held.resolve(() => session.answer(request, { scopes: [] }));
      else session.answer(request);
    });
    await client.restart();
    const proceed = await held.promise;
    peer.request('SET_ACTIVITY', { pid: 7, activity: null });
    peer.request('UNSUBSCRIBE', {}, { evt: 'VOICE_SETTINGS_UPDATE' });
    expect(await peer.rest()).toEqual([]);
    proceed();
    for (const _ of [1, 2]) expect((await peer.answer()).evt).toBeNull();
    expect(names((await client.session(1)).requests)).toEqual([
      'AUTHENTICATE',
      'SUBSCRIBE SPEAKING_START',
      'SET_ACTIVITY',
      'UNSUBSCRIBE VOICE_SETTINGS_UPDATE',
    ]);
  });

  it('omits a subscription that was ended before its answer arrived', async () => {
    const held = later<() => void>();
    const { client, app } = await upstreamBridge({
      script: {
        request(session, request) {
          if (request.cmd === 'SUBSCRIBE') held.resolve(() => session.answer(request));
          else session.answer(request);
        },
      },
    });
    const peer = await app();
    peer.request('SUBSCRIBE', {}, { evt: 'GUILD_CREATE' });
    const proceed = await held.promise;
    expect(await peer.call('UNSUBSCRIBE', {}, { evt: 'GUILD_CREATE' })).toMatchObject({ evt: null });
    proceed();
    expect(await peer.answer()).toMatchObject({ cmd: 'SUBSCRIBE', evt: null });
    await client.restart();
    await untilBack(peer);
    expect(names((await client.session(1, 2)).requests)).toEqual(['GET_GUILDS']);
  });

  it('is limited to 1,024 subscriptions, so that an app cannot fill the memory', async () => {
    const { client, app } = await upstreamBridge({
      limits: { messagesBurst: 100_000, bytesPerSecond: 1e9 },
    });
    const peer = await app();
    for (let i = 0; i < 1100; i++)
      await peer.call('SUBSCRIBE', { guild_id: `${i}` }, { evt: 'GUILD_STATUS' });
    await client.restart();
    await untilBack(peer);
    expect((await client.session(1, 1026)).requests).toHaveLength(1025);
  });
});

describe('a request that timed out', () => {
  it('is removed, and its late answer is dropped', async () => {
    const held = later<() => void>();
    const { app } = await upstreamBridge({
      limits: { answerMs: 1000 },
      script: {
        request(session, request) {
          if (request.cmd === 'GET_CHANNEL') held.resolve(() => session.answer(request, 'late'));
          else session.answer(request);
        },
      },
    });
    const peer = await app();
    expect(await peer.call('GET_CHANNEL')).toMatchObject({ data: { code: AWAY } });
    // Whoever asks next is told at once.
    const begun = performance.now();
    expect(await peer.call('GET_CHANNEL')).toMatchObject({ data: { code: AWAY } });
    expect(performance.now() - begun).toBeLessThan(700);
    (await held.promise)();
    expect(await peer.rest()).toEqual([]);
  });
});
