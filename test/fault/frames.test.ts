import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';
import type { AppPeer } from '../helpers/app-peer.ts';
import { APP, type FaultBridge, faultBridge } from '../helpers/fault-bridge.ts';
import { concatBytes, frameBytes, headerBytes } from '../helpers/frame-bytes.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';

/** Rates that do not pause what these tests send; the limits under test stay as they are. */
const FAST = { messages_burst: 100_000, bytes_per_second: 1024 * 1024 * 1024 } as const;
const handshakeText = JSON.stringify({ v: 1, client_id: APP });
const UNSUPPORTED = CloseCode.UNSUPPORTED;

/** Whatever was done to it, the daemon serves the next app. */
async function expectAlive(bridge: FaultBridge): Promise<void> {
  const app = await bridge.app();
  expect((await app.call('SUBSCRIBE', {}, { evt: 'NO_SUCH' })).data.code).toBe(ErrorCode.INVALID_EVENT);
  app.end();
}

it('a length of 4 GiB is refused by its header alone [T21]', async () => {
  const bridge = await faultBridge();
  for (const length of [0xffff_ffff, 0x8000_0000, 0x7fff_ffff]) {
    const peer = await bridge.peer();
    peer.write(headerBytes(Opcode.HANDSHAKE, length));
    expect((await peer.closed()).code).toBe(UNSUPPORTED);
  }
  await expectAlive(bridge);
});

describe('the largest frame [T22]', () => {
  /** JSON of exactly so many bytes. */
  const padded = (value: object, bytes: number): string => {
    const bare = JSON.stringify({ ...value, pad: '' });
    return JSON.stringify({ ...value, pad: 'x'.repeat(bytes - bare.length) });
  };
  it.each([
    ['before the handshake', 16 * 1024, false],
    ['after it', 3 * 1024 * 1024, true],
  ])('%s has exactly %i bytes', async (_when, most, afterwards) => {
    const bridge = await faultBridge({ limits: FAST });
    const connected = () => (afterwards ? bridge.app() : bridge.peer());
    const fits = await connected();
    if (afterwards) {
      fits.write(frameBytes(Opcode.FRAME, padded({ cmd: 'GET_GUILDS', nonce: '1' }, most)));
      expect((await fits.answer()).nonce).toBe('1');
    } else {
      fits.write(frameBytes(Opcode.HANDSHAKE, padded({ v: 1, client_id: APP }, most)));
      expect((await fits.answer()).evt).toBe('READY');
    }
    const exceeds = await connected();
    exceeds.write(headerBytes(afterwards ? Opcode.FRAME : Opcode.HANDSHAKE, most + 1));
    expect((await exceeds.closed()).message).toContain(`at most ${most}`);
    await expectAlive(bridge);
  });
});

describe('a handshake [T23]', () => {
  it('that is sent byte by byte is answered', async () => {
    const bridge = await faultBridge();
    const peer = await bridge.peer();
    for (const byte of frameBytes(Opcode.HANDSHAKE, handshakeText)) {
      peer.write(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await peer.answer()).evt).toBe('READY');
  });
  it('with 100 ms between header and body is answered', async () => {
    const bridge = await faultBridge();
    const peer = await bridge.peer();
    const bytes = frameBytes(Opcode.HANDSHAKE, handshakeText);
    peer.write(bytes.slice(0, 8));
    await new Promise((resolve) => setTimeout(resolve, 100));
    peer.write(bytes.slice(8));
    expect((await peer.answer()).evt).toBe('READY');
  });
});

it('5,000 PINGs in one write are all answered in order, and other apps meanwhile [T24]', async () => {
  // Each answer waits until the one before is read, which on a busy machine takes longer than a handshake may.
  const bridge = await faultBridge({ limits: { ...FAST, handshake_ms: 120_000 } });
  const peer = await bridge.peer();
  peer.write(concatBytes(...Array.from({ length: 5000 }, (_, i) => frameBytes(Opcode.PING, String(i)))));
  const other = await bridge.app();
  expect((await other.call('GET_GUILDS')).cmd).toBe('GET_GUILDS');
  for (let i = 0; i < 5000; i++) expect(await peer.next()).toEqual({ opcode: Opcode.PONG, body: i });
});

it('a frame that breaks the order of the protocol is closed with 1003 [T25]', async () => {
  const bridge = await faultBridge();
  const early = [
    headerBytes(5, 0),
    headerBytes(-1, 0),
    headerBytes(0x7fff_ffff, 2),
    frameBytes(Opcode.FRAME, '{"cmd":"GET_GUILDS","nonce":"1"}'),
    frameBytes(Opcode.HANDSHAKE, ''),
  ];
  const late = [headerBytes(7, 0), frameBytes(Opcode.HANDSHAKE, handshakeText), frameBytes(Opcode.FRAME, '')];
  for (const [bytes, connected] of [
    ...early.map((attack) => [attack, () => bridge.peer()] as const),
    ...late.map((attack) => [attack, () => bridge.app()] as const),
  ]) {
    const peer = await connected();
    peer.write(bytes);
    expect((await peer.closed()).code).toBe(UNSUPPORTED);
  }
  // A PING needs no body and no handshake, and a CLOSE is answered.
  const bare = await bridge.peer();
  bare.send(Opcode.PING, '0');
  expect(await bare.next()).toEqual({ opcode: Opcode.PONG, body: 0 });
  bare.send(Opcode.CLOSE, {});
  expect((await bare.closed()).code).toBe(CloseCode.NORMAL);
  await expectAlive(bridge);
});

it('JSON that is not a request gets an ERROR, or closes its own connection [T26]', async () => {
  const bridge = await faultBridge();
  const answered = [
    '{}',
    '{"cmd":null}',
    '{"cmd":1,"nonce":"1"}',
    '{"cmd":[],"nonce":"1"}',
    '{"cmd":{},"nonce":"1"}',
    '{"cmd":"","nonce":"1"}',
    '{"cmd":"GET_GUILDS"}',
    '{"cmd":"GET_GUILDS","nonce":null}',
    '{"cmd":"GET_GUILDS","nonce":{}}',
    '{"cmd":"GET_GUILDS","nonce":"1","args":[]}',
    '{"cmd":"GET_GUILDS","nonce":"1","args":7}',
    '{"cmd":"SUBSCRIBE","nonce":"1","evt":7}',
    '{"cmd":"SUBSCRIBE","nonce":"1","evt":{}}',
    '{"cmd":"SET_ACTIVITY","nonce":"1","args":{"pid":"x"}}',
    '{"cmd":"SET_ACTIVITY","nonce":"1","args":{"pid":1e400}}',
    '{"cmd":"SET_ACTIVITY","nonce":"1","args":{"activity":[]}}',
  ];
  const closed = ['null', '[]', '1', '""', 'true', '{', '{"cmd":', '[1', '{"a":1}}', 'NaN', "{'a':1}", ' '];
  const app = await bridge.app();
  for (const body of answered) {
    app.send(Opcode.FRAME, body);
    const { evt, data } = await app.answer();
    expect([evt, typeof data.code], body).toEqual(['ERROR', 'number']);
  }
  for (const body of closed) {
    const peer = await bridge.app();
    peer.send(Opcode.FRAME, body);
    expect((await peer.closed()).code, body).toBe(UNSUPPORTED);
  }
  for (const body of ['null', '[]', '1', '""', '{}']) {
    const peer = await bridge.peer();
    peer.send(Opcode.HANDSHAKE, body);
    expect((await peer.closed()).code, body).toBeGreaterThan(0);
  }
  await expectAlive(bridge);
});

describe('text that is not UTF-8 [T27]', () => {
  const wrap = (...bytes: number[]): Uint8Array =>
    concatBytes(
      new TextEncoder().encode('{"cmd":"'),
      Uint8Array.from(bytes),
      new TextEncoder().encode('","nonce":"1"}'),
    );
  it('is read as text with U+FFFD', async () => {
    const bridge = await faultBridge();
    const peer = await bridge.app();
    for (const body of [
      wrap(0x80),
      wrap(0xff),
      wrap(0xc0, 0xaf),
      wrap(0xed, 0xa0, 0x80),
      wrap(0xf4, 0x90, 0x80, 0x80),
      wrap(0xe2, 0x82),
    ]) {
      peer.write(frameBytes(Opcode.FRAME, body));
      expect(await peer.answer()).toMatchObject({ evt: 'ERROR', data: { code: 4002 }, nonce: '1' });
    }
    await expectAlive(bridge);
  });
  it('closes its own connection when it is not JSON', async () => {
    const bridge = await faultBridge();
    const mark = Uint8Array.of(0xef, 0xbb, 0xbf);
    const request = new TextEncoder().encode('{"cmd":"GET_GUILDS","nonce":"1"}');
    for (const body of [wrap(0x00), concatBytes(mark, request)]) {
      const peer = await bridge.app();
      peer.write(frameBytes(Opcode.FRAME, body));
      expect((await peer.closed()).code).toBe(UNSUPPORTED);
    }
    await expectAlive(bridge);
  });
});

it('deeply nested brackets close their own connection [T28]', async () => {
  const bridge = await faultBridge({ limits: FAST });
  for (const body of [
    '['.repeat(64_000),
    '{"a":'.repeat(12_000),
    `{"cmd":"X","nonce":"1","args":${'['.repeat(32_000)}`,
  ]) {
    const peer = await bridge.app();
    peer.write(frameBytes(Opcode.FRAME, body));
    expect((await peer.closed()).code).toBe(UNSUPPORTED);
  }
  await expectAlive(bridge);
});

it('names that every object has are not commands, events or applications [T29]', async () => {
  const bridge = await faultBridge();
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];
  const app = await bridge.app();
  for (const name of names) {
    expect((await app.call(name)).data.code).toBe(ErrorCode.INVALID_COMMAND);
    expect((await app.subscribe(name)).data.code).toBe(ErrorCode.INVALID_EVENT);
    const peer = await bridge.peer();
    peer.send(Opcode.HANDSHAKE, { v: 1, client_id: name });
    expect((await peer.closed()).code).toBe(CloseCode.INVALID_CLIENT_ID);
  }
});

it('a __proto__ in a request changes no object, and no request to a core [T29]', async () => {
  const asked: unknown[] = [];
  const { connect } = await memoryBridge({
    scopes: ['rpc'],
    handlers: {
      GET_GUILD(args, call) {
        asked.push(args, call.rawArgs);
        return { id: '1', name: 'G', icon_url: null, members: [], vanity_url_code: null };
      },
    },
  });
  const app = connect();
  const proto = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}';
  app.send(Opcode.HANDSHAKE, `{"v":1,"client_id":"1",${proto}}`);
  expect((await app.answer()).evt).toBe('READY');
  app.send(Opcode.FRAME, `{"cmd":"GET_GUILD","nonce":"1",${proto},"args":{"guild_id":"1",${proto}}}`);
  expect(await app.answer()).toMatchObject({ nonce: '1', evt: null });
  expect(asked).toHaveLength(2);
  for (const value of [{}, [], ...asked]) expect((value as { polluted?: unknown }).polluted).toBeUndefined();
});

it('repeated keys have the same value for every reader [T30]', async () => {
  const bridge = await faultBridge();
  const app = await bridge.app();
  app.send(
    Opcode.FRAME,
    '{"cmd":"SET_ACTIVITY","cmd":"GET_GUILDS","nonce":"a","nonce":"b","args":{"pid":1}}',
  );
  expect(await app.answer()).toMatchObject({ cmd: 'GET_GUILDS', nonce: 'b', evt: 'ERROR' });
  const twice = await bridge.peer();
  twice.send(Opcode.HANDSHAKE, `{"v":1,"client_id":"1","client_id":"${APP}"}`);
  expect((await twice.answer()).evt).toBe('READY');
  const ids = (await bridge.control.status()).sessions.map(({ clientId }) => clientId);
  expect(ids).toEqual([APP, APP]);
});

it('equal nonces on two connections are never mixed up [T31]', async () => {
  const bridge = await faultBridge({ limits: FAST });
  const [one, two] = [await bridge.app(), await bridge.app('42')];
  const count = 1000;
  for (let i = 0; i < count; i++) {
    one.request('GET_GUILDS', {}, { nonce: 'same' });
    two.request('GET_CHANNELS', {}, { nonce: 'same' });
  }
  const received = async (app: AppPeer): Promise<Set<string | null>> => {
    const seen = new Set<string | null>();
    for (let i = 0; i < count; i++) seen.add((await app.answer()).cmd);
    return seen;
  };
  expect(await received(one)).toEqual(new Set(['GET_GUILDS']));
  expect(await received(two)).toEqual(new Set(['GET_CHANNELS']));
});
