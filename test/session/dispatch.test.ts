import { describe, expect, it } from 'vitest';
import type { CoreCall } from '../../src/core/core.ts';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { RpcError } from '../../src/protocol/errors.ts';
import { commands } from '../../src/protocol/registry.ts';
import { CloseError } from '../../src/wire/close-error.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';
import { asAnswer, settled } from '../helpers/app-peer.ts';
import { later } from '../helpers/fake-core.ts';
import { concatBytes, frameBytes } from '../helpers/frame-bytes.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';

describe('every request gets exactly one answer', () => {
  it.each(Object.keys(commands))(
    '%s without arguments and scopes, from a core without that command',
    async (cmd) => {
      const { app } = await memoryBridge({ scopes: [] });
      const peer = await app();
      const nonce = peer.request(cmd);
      const [answer, ...more] = (await peer.rest()).map(asAnswer);
      expect(answer).toMatchObject({ cmd, nonce });
      expect(more).toEqual([]);
    },
  );
  it.each(Object.keys(commands))('%s with wrong arguments and every scope', async (cmd) => {
    const every = Object.values(commands).flatMap(({ scope }) => (scope.kind === 'open' ? [] : scope.scopes));
    const { app } = await memoryBridge({ scopes: every });
    const peer = await app();
    for (const args of ['x', 1, [], [{}], true]) {
      const nonce = peer.request(cmd, args);
      const [answer, ...more] = (await peer.rest()).map(asAnswer);
      expect(answer, JSON.stringify(args)).toMatchObject({
        cmd,
        nonce,
        evt: 'ERROR',
        data: { code: expect.any(Number), message: expect.any(String) },
      });
      expect(more).toEqual([]);
    }
  });
  it('for a wrong envelope', async () => {
    const { app } = await memoryBridge();
    const peer = await app();
    for (const body of [
      '{}',
      '{"cmd":"GET_GUILDS"}',
      '{"cmd":1,"nonce":"1"}',
      '{"cmd":"GET_GUILDS","nonce":7}',
    ]) {
      peer.send(Opcode.FRAME, body);
      const [answer, ...more] = (await peer.rest()).map(asAnswer);
      expect(answer).toMatchObject({ evt: 'ERROR', data: { code: ErrorCode.INVALID_PAYLOAD } });
      expect(more).toEqual([]);
    }
  });
  it('in a burst of 300 that share one nonce', async () => {
    const { app } = await memoryBridge({ limits: { messagesBurst: 1000 } });
    const peer = await app();
    const frame = frameBytes(Opcode.FRAME, '{"cmd":"GET_GUILDS","nonce":"deadbeef"}');
    peer.write(concatBytes(...Array.from({ length: 300 }, () => frame)));
    const answers = (await peer.rest()).map(asAnswer);
    expect(answers).toHaveLength(300);
    expect(answers.every(({ nonce, evt }) => nonce === 'deadbeef' && evt === null)).toBe(true);
  });
  it('as soon as the answer is ready, although an earlier request still waits', async () => {
    const slow = later<{ guilds: [] }>();
    const { app } = await memoryBridge({ handlers: { GET_GUILDS: () => slow.promise } });
    const peer = await app();
    const first = peer.request('GET_GUILDS');
    await peer.call('AUTHORIZE', { client_id: '207646673902501888' });
    slow.resolve({ guilds: [] });
    expect(await peer.answer()).toMatchObject({ nonce: first });
  });
});

describe('the order of checks', () => {
  const scopes: readonly string[] = [];

  it.each([
    ['envelope before command', { cmd: 'NO_SUCH', args: 'x' }, ErrorCode.INVALID_PAYLOAD],
    [
      'command before scope and arguments',
      { cmd: 'NO_SUCH', nonce: '1', args: 'x' },
      ErrorCode.INVALID_COMMAND,
    ],
    ['scope before arguments', { cmd: 'GET_GUILD', nonce: '1', args: 'x' }, ErrorCode.INVALID_PERMISSIONS],
    [
      'event before its arguments',
      { cmd: 'SUBSCRIBE', nonce: '1', evt: 'NO', args: {} },
      ErrorCode.INVALID_EVENT,
    ],
    [
      "an event's scope before its arguments",
      { cmd: 'SUBSCRIBE', nonce: '1', evt: 'GUILD_STATUS', args: {} },
      ErrorCode.INVALID_PERMISSIONS,
    ],
  ])('%s', async (_name, request, code) => {
    const { app } = await memoryBridge({ scopes });
    const peer = await app();
    peer.send(Opcode.FRAME, request);
    expect(await peer.answer()).toMatchObject({ evt: 'ERROR', data: { code } });
  });
  it('validates rules across arguments after their shapes, and before the core is called', async () => {
    let asked = 0;
    const { app } = await memoryBridge({ handlers: { SET_ACTIVITY: () => void ++asked as never } });
    const peer = await app();
    const secrets = { join: 'same', match: 'same' };
    expect(await peer.call('SET_ACTIVITY', { activity: { secrets } })).toMatchObject({
      data: { code: ErrorCode.INVALID_ACTIVITY_SECRET },
    });
    expect(await peer.call('SET_ACTIVITY', { activity: { secrets, buttons: [null] } })).toMatchObject({
      data: { code: ErrorCode.INVALID_PAYLOAD, message: expect.stringContaining('buttons[0]') },
    });
    expect(asked).toBe(0);
  });
  it('validates arguments before the core is called', async () => {
    const asked: unknown[] = [];
    const { app } = await memoryBridge({ handlers: { GET_GUILD: (args) => void asked.push(args) as never } });
    const peer = await app();
    expect(await peer.call('GET_GUILD', { guild_id: 1 })).toMatchObject({
      data: { code: ErrorCode.INVALID_PAYLOAD, message: expect.stringMatching(/^args\.guild_id: /) },
    });
    expect(asked).toEqual([]);
  });
});

describe('names of Object.prototype', () => {
  const names = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'then', ''];

  it.each(names)('%j is no command', async (cmd) => {
    const { app } = await memoryBridge();
    const peer = await app();
    expect(await peer.call(cmd)).toMatchObject({ evt: 'ERROR', data: { code: ErrorCode.INVALID_COMMAND } });
  });
  it.each(names)('%j is no event', async (evt) => {
    const { app } = await memoryBridge();
    const peer = await app();
    for (const cmd of ['SUBSCRIBE', 'UNSUBSCRIBE']) {
      expect(await peer.call(cmd, {}, { evt })).toMatchObject({ data: { code: ErrorCode.INVALID_EVENT } });
    }
  });
  it('have no effect as argument names', async () => {
    const { app } = await memoryBridge({ scopes: ['rpc'] });
    const peer = await app();
    const args = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    for (const cmd of ['GET_GUILDS', 'SUBSCRIBE', 'SET_ACTIVITY', 'AUTHENTICATE']) {
      peer.send(Opcode.FRAME, `{"cmd":"${cmd}","nonce":"1","evt":"VOICE_CHANNEL_SELECT","args":${args}}`);
      expect(await peer.answer()).toMatchObject({ cmd });
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

it('an error message prints a hostile command name without control characters', async () => {
  const { app } = await memoryBridge();
  const peer = await app();
  const cmd = `\u001b[2J\u202e${'A'.repeat(120)}`;
  const { data } = await peer.call(cmd);
  expect(data.message).toBe(`Unknown command: ?[2J?${'A'.repeat(120)}`);
});

describe('a nonce', () => {
  it('of 1,024 characters is echoed, of 1,025 refused', async () => {
    const { app } = await memoryBridge();
    const peer = await app();
    peer.request('GET_GUILDS', {}, { nonce: 'n'.repeat(1024) });
    expect(await peer.answer()).toMatchObject({ evt: null, nonce: 'n'.repeat(1024) });
    peer.request('GET_GUILDS', {}, { nonce: 'n'.repeat(1025) });
    expect(await peer.answer()).toMatchObject({
      evt: 'ERROR',
      nonce: null,
      data: { code: ErrorCode.INVALID_PAYLOAD },
    });
  });
  it('of one connection never reaches another', async () => {
    const { app } = await memoryBridge();
    const peers = [await app('1'), await app('2')];
    for (let i = 0; i < 200; i++) for (const peer of peers) peer.request('GET_GUILDS', {}, { nonce: 'same' });
    for (const peer of peers) expect(await peer.rest()).toHaveLength(200);
  });
});

describe('a core that answers [T35]', () => {
  const failures: [string, () => never | Promise<never>, number, string][] = [
    [
      'by throwing',
      () => {
        throw new Error('SECRET');
      },
      ErrorCode.UNKNOWN_ERROR,
      'GET_GUILDS failed inside the client; the reason is in its log',
    ],
    [
      'by rejecting',
      () => Promise.reject(new Error('SECRET')),
      ErrorCode.UNKNOWN_ERROR,
      'GET_GUILDS failed inside the client; the reason is in its log',
    ],
    [
      'by rejecting with no Error',
      () => Promise.reject(undefined),
      ErrorCode.UNKNOWN_ERROR,
      'GET_GUILDS failed inside the client; the reason is in its log',
    ],
    [
      'with an RpcError',
      () => {
        throw new RpcError(ErrorCode.GET_GUILD_TIMED_OUT, 'too late', { detail: 'SECRET' });
      },
      ErrorCode.GET_GUILD_TIMED_OUT,
      'too late',
    ],
    [
      'nothing',
      () => undefined as never,
      ErrorCode.UNKNOWN_ERROR,
      'The client gave no valid answer to GET_GUILDS',
    ],
    ['null', () => null as never, ErrorCode.UNKNOWN_ERROR, 'The client gave no valid answer to GET_GUILDS'],
    [
      'with the wrong shape',
      () => ({ guilds: [{ id: 1 }] }) as never,
      ErrorCode.UNKNOWN_ERROR,
      'The client gave no valid answer to GET_GUILDS',
    ],
    [
      'with what JSON cannot hold',
      () => ({ guilds: [], big: 1n }) as never,
      ErrorCode.UNKNOWN_ERROR,
      'GET_GUILDS failed inside the client; the reason is in its log',
    ],
  ];
  it.each(failures)(
    '%s fails that request alone, with the reason in the log',
    async (_name, handler, code, message) => {
      const { app, log } = await memoryBridge({ handlers: { GET_GUILDS: handler } });
      const peer = await app();
      expect(await peer.call('GET_GUILDS')).toMatchObject({ evt: 'ERROR', data: { code, message } });
      expect(log).toContainEqual(expect.objectContaining({ level: 'warn', cmd: 'GET_GUILDS' }));
      expect(await peer.call('AUTHORIZE', { client_id: '207646673902501888' })).toMatchObject({ evt: null });
    },
  );
  it('with a very long error fails that request alone', async () => {
    const error = new RpcError(ErrorCode.UNKNOWN_ERROR, 'x'.repeat(100_000));
    const { app } = await memoryBridge({ handlers: { GET_GUILDS: () => Promise.reject(error) } });
    const peer = await app();
    const { data } = await peer.call('GET_GUILDS');
    expect(data).toMatchObject({ code: ErrorCode.UNKNOWN_ERROR, message: expect.stringMatching(/^x+/) });
  });
  it('with a CloseError ends the session with its code', async () => {
    const error = new CloseError(CloseCode.TOKEN_REVOKED, 'Token revoked');
    const { app } = await memoryBridge({ handlers: { GET_GUILDS: () => Promise.reject(error) } });
    const peer = await app();
    peer.request('GET_GUILDS');
    expect(await peer.closed()).toEqual({ code: 4003, message: 'Token revoked' });
  });
  it('not at all does not delay other requests and sessions', async () => {
    const { app, server } = await memoryBridge({ handlers: { GET_GUILDS: () => new Promise(() => {}) } });
    const [peer, other] = [await app(), await app()];
    peer.request('GET_GUILDS');
    await peer.call('AUTHORIZE', { client_id: '207646673902501888' });
    await other.call('AUTHORIZE', { client_id: '207646673902501888' });
    expect(await peer.rest()).toEqual([]);
    expect(server.sessions()[0]).toMatchObject({ requestsInFlight: 1 });
  });
  it('without a handler for the command causes an ERROR', async () => {
    const { app } = await memoryBridge();
    const peer = await app();
    expect(await peer.call('GET_GUILD', { guild_id: '1' })).toMatchObject({
      data: { code: ErrorCode.INVALID_COMMAND, message: 'GET_GUILD is not offered by this client' },
    });
  });
  it('receives the validated arguments, the raw ones, and a signal that aborts with the peer', async () => {
    const seen: [unknown, CoreCall][] = [];
    const { app } = await memoryBridge({
      handlers: {
        GET_GUILD: (args, call) => {
          seen.push([args, call]);
          return new Promise(() => {});
        },
      },
    });
    const peer = await app();
    peer.send(Opcode.FRAME, '{"cmd":"GET_GUILD","nonce":"1","args":{"guild_id":"1","guild_id":"2","x":[1]}}');
    await settled();
    expect(seen).toHaveLength(1);
    const [[args, call] = [undefined, undefined]] = seen;
    expect(args).toEqual({ guild_id: '2' });
    expect(call?.rawArgs).toEqual({ guild_id: '2', x: [1] });
    expect(call?.signal.aborted).toBe(false);
    peer.end();
    await settled();
    expect(call?.signal.aborted).toBe(true);
  });
});

describe('requests in flight [T42]', () => {
  it('pause the reading at their limit; waiting requests are served as answers leave', async () => {
    const gates: ((guilds: { guilds: [] }) => void)[] = [];
    const { app, server } = await memoryBridge({
      limits: { requestsInFlight: 4 },
      handlers: { GET_GUILDS: () => new Promise((resolve) => gates.push(resolve)) },
    });
    const peer = await app();
    const nonces = Array.from({ length: 10 }, () => peer.request('GET_GUILDS'));
    await settled();
    expect(gates).toHaveLength(4);
    gates[0]?.({ guilds: [] });
    await settled();
    expect(gates).toHaveLength(5);
    expect(server.sessions()[0]).toMatchObject({ requestsInFlight: 4 });
    for (let i = 1; i < 10; i++) {
      gates[i]?.({ guilds: [] });
      await settled();
    }
    expect((await peer.rest()).map((frame) => asAnswer(frame).nonce)).toEqual(nonces);
    expect(server.sessions()[0]).toMatchObject({ requestsInFlight: 0 });
  });
});

describe('an answer and the event that it causes', () => {
  it('leave in that order', async () => {
    const { app, core } = await memoryBridge({
      handlers: {
        GET_GUILDS: () => {
          core.host.emit('VOICE_CHANNEL_SELECT', { channel_id: null });
          return { guilds: [] };
        },
      },
    });
    const [peer, other] = [await app(), await app()];
    for (const one of [peer, other]) await one.subscribe('VOICE_CHANNEL_SELECT');
    peer.request('GET_GUILDS');
    const frames = (await peer.rest()).map(asAnswer);
    expect(frames.map(({ cmd }) => cmd)).toEqual(['GET_GUILDS', 'DISPATCH']);
    expect(await other.rest()).toHaveLength(1);
  });
});

describe('a large answer', () => {
  const guild = (i: number) => ({ id: String(i), name: 'n'.repeat(100), icon_url: null });

  it('has every entry of its list', async () => {
    const guilds = Array.from({ length: 2000 }, (_, i) => guild(i));
    const { app } = await memoryBridge({ handlers: { GET_GUILDS: () => ({ guilds }) } });
    const peer = await app();
    expect((await peer.call('GET_GUILDS')).data.guilds).toEqual(guilds);
  });
  it('above 3 MiB is refused, never truncated', async () => {
    const { app } = await memoryBridge({
      handlers: { GET_GUILDS: () => ({ guilds: [], more: 'x'.repeat(3 * 1024 * 1024) }) },
    });
    const peer = await app();
    expect(await peer.call('GET_GUILDS')).toMatchObject({
      evt: 'ERROR',
      data: { code: ErrorCode.UNKNOWN_ERROR, message: expect.stringContaining('at most 3145728') },
    });
  });
});
