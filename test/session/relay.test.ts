import { describe, expect, it } from 'vitest';
import type { RelayedRequest } from '../../src/core/core.ts';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { RpcError } from '../../src/protocol/errors.ts';
import { CloseError } from '../../src/wire/close-error.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';
import { asAnswer } from '../helpers/app-peer.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';

describe('a session with another server behind it', () => {
  it('forwards every request to that server, without checks of names, scopes or arguments', async () => {
    const seen: RelayedRequest[] = [];
    const { app } = await memoryBridge({
      scopes: [],
      relay: async (request) => {
        seen.push(request);
        return { for: request.cmd };
      },
    });
    const peer = await app();
    for (const cmd of ['GET_GUILDS', 'NO_SUCH', 'constructor', 'AUTHENTICATE']) {
      expect(await peer.call(cmd, ['any', 'thing'])).toMatchObject({ evt: null, data: { for: cmd } });
    }
    expect(await peer.call('SUBSCRIBE', { a: 1 }, { evt: 'NO_SUCH' })).toMatchObject({ evt: null });
    expect(seen[0]).toEqual({ cmd: 'GET_GUILDS', args: ['any', 'thing'], evt: undefined });
    expect(seen.at(-1)).toEqual({ cmd: 'SUBSCRIBE', args: { a: 1 }, evt: 'NO_SUCH' });
  });
  it('never forwards a frame that is no request', async () => {
    let asked = 0;
    const { app } = await memoryBridge({ relay: async () => ++asked });
    const peer = await app();
    peer.send(Opcode.FRAME, '{"cmd":"GET_GUILDS"}');
    expect(await peer.answer()).toMatchObject({ data: { code: ErrorCode.INVALID_PAYLOAD } });
    peer.send(Opcode.FRAME, '[]');
    expect(await peer.closed()).toMatchObject({ code: CloseCode.UNSUPPORTED });
    expect(asked).toBe(0);
  });
  it.each([
    ['cmd', ErrorCode.INVALID_PAYLOAD],
    ['nonce', ErrorCode.INVALID_PAYLOAD],
    ['evt', ErrorCode.INVALID_EVENT],
  ])('never forwards a request whose %s is a large number', async (key, code) => {
    let asked = 0;
    const { app } = await memoryBridge({ relay: async () => ++asked });
    const peer = await app();
    const texts = ['cmd', 'evt', 'nonce'].map((name) => `"${name}":${name === key ? '9'.repeat(30) : '"X"'}`);
    peer.send(Opcode.FRAME, `{${texts.join()}}`);
    expect(await peer.answer()).toMatchObject({ evt: 'ERROR', data: { code } });
    expect(asked).toBe(0);
  });
  it.each([
    ['an error of its own', new RpcError(ErrorCode.INVALID_TOKEN, 'no'), ErrorCode.INVALID_TOKEN],
    ['a fault', new Error('SECRET'), ErrorCode.UNKNOWN_ERROR],
  ])('answers %s with an ERROR', async (_name, error, code) => {
    const { app } = await memoryBridge({ relay: () => Promise.reject(error) });
    const peer = await app();
    const answer = await peer.call('GET_GUILDS');
    expect(answer).toMatchObject({ evt: 'ERROR', data: { code } });
    expect(JSON.stringify(answer)).not.toContain('SECRET');
  });
  it('ends with the close code of that server', async () => {
    const error = new CloseError(CloseCode.TOKEN_REVOKED, 'Token revoked');
    const { app } = await memoryBridge({ relay: () => Promise.reject(error) });
    const peer = await app();
    peer.request('GET_GUILDS');
    expect(await peer.closed()).toEqual({ code: 4003, message: 'Token revoked' });
  });
  it('receives the events of that server after the answer, and no other session does', async () => {
    const { app, core } = await memoryBridge({
      relay: async () => {
        core.host.relay(core.peers[0]?.sessionId ?? '', 'ANY_EVENT', { a: 1 });
        core.host.relay('no such session', 'ANY_EVENT', {});
        return null;
      },
    });
    const [peer, other] = [await app(), await app()];
    peer.request('GET_GUILDS');
    expect((await peer.rest()).map(asAnswer)).toMatchObject([
      { cmd: 'GET_GUILDS', data: null },
      { cmd: 'DISPATCH', evt: 'ANY_EVENT', data: { a: 1 }, nonce: null },
    ]);
    expect(await other.rest()).toEqual([]);
  });
  it.each([
    ['that JSON cannot hold', 1n],
    ['larger than a frame may be', 'x'.repeat(3 * 1024 * 1024)],
  ])('loses only an event %s', async (_name, data) => {
    const { app, core, log } = await memoryBridge({ relay: async () => 1 });
    const peer = await app();
    core.host.relay(core.peers[0]?.sessionId ?? '', 'ANY_EVENT', data);
    expect(await peer.rest()).toEqual([]);
    expect(log).toContainEqual(expect.objectContaining({ level: 'warn', cmd: 'ANY_EVENT' }));
    expect(await peer.call('GET_GUILDS')).toMatchObject({ data: 1 });
  });
});
