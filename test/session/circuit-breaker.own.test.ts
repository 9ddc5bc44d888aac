import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { isRpcError, RpcError } from '../../src/protocol/errors.ts';
import { Cancellation } from '../../src/session/cancellation.ts';
import { type AnswerDeadline, CircuitBreaker } from '../../src/session/circuit-breaker.ts';
import { CloseCode } from '../../src/wire/codes.ts';
import { later } from '../helpers/fake-core.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';

const core: AnswerDeadline = { ms: 1000, waitsFor: 'core' };
const hang = (): Promise<never> => new Promise(() => {});
const answer = () => 'answer';

/** What a call ends with: its value, or the message of its RpcError. */
async function outcome(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (isRpcError(error) && error.code === ErrorCode.SERVICE_UNAVAILABLE) return error.message;
    throw error;
  }
}
const inTime = (cmd: string) => `The client did not answer ${cmd} in time`;
const atTheMoment = (cmd: string) => `The client does not answer ${cmd} at the moment; try again later`;

describe('CircuitBreaker', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  /** Starts a call that hangs and lets its time pass. */
  async function late(breaker: CircuitBreaker, cmd: string, patience = core): Promise<unknown> {
    const call = outcome(() => breaker.run(cmd, patience, hang));
    await vi.advanceTimersByTimeAsync(patience.ms + 1);
    return call;
  }

  it('returns the answer of the core, and passes its errors on', async () => {
    const breaker = new CircuitBreaker();
    expect(breaker.run('A', core, answer)).toBe('answer');
    await expect(breaker.run('A', core, () => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError);
    const thrown = new RpcError(ErrorCode.INVALID_GUILD, 'no');
    expect(() =>
      breaker.run('A', core, () => {
        throw thrown;
      }),
    ).toThrow(thrown);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails a call that hangs, and later calls of every command at once', async () => {
    const breaker = new CircuitBreaker();
    expect(await late(breaker, 'A')).toBe(inTime('A'));
    const task = vi.fn(answer);
    expect(await outcome(() => breaker.run('A', core, task))).toBe(atTheMoment('A'));
    expect(await outcome(() => breaker.run('B', core, task))).toBe(atTheMoment('B'));
    expect(task).not.toHaveBeenCalled();
  });

  it('still calls the commands that the core answers while another command hangs', async () => {
    const breaker = new CircuitBreaker();
    const call = outcome(() => breaker.run('A', core, hang));
    await vi.advanceTimersByTimeAsync(500);
    await breaker.run('B', core, answer);
    await vi.advanceTimersByTimeAsync(501);
    expect(await call).toBe(inTime('A'));
    expect(await outcome(() => breaker.run('A', core, answer))).toBe(atTheMoment('A'));
    expect(await breaker.run('B', core, answer)).toBe('answer');
  });

  it('tries one call after the pause, and lets all calls pass once that one is answered', async () => {
    const breaker = new CircuitBreaker();
    await late(breaker, 'A');
    await vi.advanceTimersByTimeAsync(5000);
    const trial = later<string>();
    const tried = breaker.run('A', core, () => trial.promise);
    expect(await outcome(() => breaker.run('A', core, answer))).toBe(atTheMoment('A'));
    trial.resolve('back');
    expect(await tried).toBe('back');
    expect(await breaker.run('A', core, answer)).toBe('answer');
    expect(await breaker.run('B', core, answer)).toBe('answer');
  });

  it('pauses again when the trial hangs too', async () => {
    const breaker = new CircuitBreaker();
    await late(breaker, 'A');
    await vi.advanceTimersByTimeAsync(5000);
    expect(await late(breaker, 'A')).toBe(inTime('A'));
    expect(await outcome(() => breaker.run('A', core, answer))).toBe(atTheMoment('A'));
  });

  it('closes after an answer that came too late', async () => {
    const breaker = new CircuitBreaker();
    const slow = later<string>();
    const call = outcome(() => breaker.run('A', core, () => slow.promise));
    await vi.advanceTimersByTimeAsync(1001);
    expect(await call).toBe(inTime('A'));
    slow.resolve('late');
    await vi.advanceTimersByTimeAsync(0);
    expect(await breaker.run('A', core, answer)).toBe('answer');
  });

  it('stays open after a late call that fails because it was cancelled', async () => {
    const breaker = new CircuitBreaker();
    const cancellation = new Cancellation();
    const withdrawn = (): Promise<never> =>
      new Promise((_, reject) =>
        cancellation.signal.addEventListener('abort', () => reject(new Error('over'))),
      );
    const call = outcome(() => breaker.run('A', core, withdrawn, { cancellation }));
    await vi.advanceTimersByTimeAsync(1001);
    expect(await call).toBe(inTime('A'));
    expect(await outcome(() => breaker.run('A', core, answer))).toBe(atTheMoment('A'));
    expect(await outcome(() => breaker.run('B', core, answer))).toBe(atTheMoment('B'));
  });

  it('stays closed when a user does not answer in time', async () => {
    const breaker = new CircuitBreaker();
    const person: AnswerDeadline = { ms: 60_000, waitsFor: 'person' };
    expect(await late(breaker, 'AUTHORIZE', person)).toBe(inTime('AUTHORIZE'));
    expect(await breaker.run('AUTHORIZE', person, answer)).toBe('answer');
  });

  it.each(['before it waits', 'while it waits'])(
    'applies the deadline of a user when the core announces one %s, and lets other calls pass',
    async (when) => {
      const breaker = new CircuitBreaker();
      const person: AnswerDeadline = { ms: 60_000, waitsFor: 'person' };
      const told: ((patience: AnswerDeadline) => void)[] = [];
      const waiter = {
        cancellation: new Cancellation(),
        onDeadline: (hear: (deadline: AnswerDeadline) => void) => {
          if (when === 'before it waits') hear(person);
          else told.push(hear);
        },
      };
      const call = outcome(() => breaker.run('A', core, hang, waiter));
      await vi.advanceTimersByTimeAsync(900);
      for (const hear of told) hear(person);
      await vi.advanceTimersByTimeAsync(59_000);
      expect(waiter.cancellation.over).toBe(false);
      expect(breaker.run('A', core, answer)).toBe('answer');
      await vi.advanceTimersByTimeAsync(2000);
      expect(await call).toBe(inTime('A'));
      expect(waiter.cancellation.over).toBe(true);
      expect(breaker.run('A', core, answer)).toBe('answer');
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});

describe('a core behind the circuit breaker [R10]', () => {
  const limits = { answerMs: 50, personMs: 5000 };
  const guild = { id: '1', name: 'x', icon_url: null, members: [], vanity_url_code: null };

  it('that hangs causes ERROR 1001 in a handler, in SUBSCRIBE and in a relay', async () => {
    const bad = await memoryBridge({
      limits,
      handlers: { GET_GUILDS: hang, GET_VOICE_SETTINGS: hang },
      subscribe: hang,
    });
    const peer = await bad.app();
    const unavailable = { evt: 'ERROR', data: { code: ErrorCode.SERVICE_UNAVAILABLE } };
    expect(await peer.call('GET_GUILDS')).toMatchObject(unavailable);
    expect(await peer.call('GET_VOICE_SETTINGS')).toMatchObject(unavailable);
    expect(await peer.subscribe('GUILD_CREATE')).toMatchObject(unavailable);
    const relay = await memoryBridge({
      limits,
      relay: ({ cmd }) => (cmd === 'A' ? hang() : Promise.resolve(cmd)),
    });
    const [one, two] = [await relay.app(), await relay.app()];
    expect(await one.call('A')).toMatchObject(unavailable);
    expect(await two.call('B')).toMatchObject({ data: 'B' });
  });

  it('has the time that the app allows, and more when it waits for a user', async () => {
    const { app } = await memoryBridge({
      limits,
      handlers: {
        GET_GUILD: () => new Promise((resolve) => setTimeout(() => resolve(guild), 120)),
        AUTHORIZE: () => new Promise((resolve) => setTimeout(() => resolve({ code: 'late' }), 120)),
      },
    });
    const peer = await app();
    expect(await peer.call('GET_GUILD', { guild_id: '1', timeout: 1 })).toMatchObject({ evt: null });
    const asked = await peer.call('AUTHORIZE', { client_id: '207646673902501888' });
    expect(asked).toMatchObject({ evt: null, data: { code: 'late' } });
  });

  it('has at most the time of a user, whatever the app allows', async () => {
    const { app } = await memoryBridge({
      limits: { answerMs: 20, personMs: 60 },
      handlers: { GET_GUILD: () => new Promise(() => {}) },
    });
    const peer = await app();
    const answer = await peer.call('GET_GUILD', { guild_id: '1', timeout: 60 });
    expect(answer).toMatchObject({ evt: 'ERROR', data: { code: ErrorCode.SERVICE_UNAVAILABLE } });
  });

  it('has no longer for AUTHENTICATE with a token than for other commands', async () => {
    const { app } = await memoryBridge({
      limits: { answerMs: 20, personMs: 3_600_000 },
      scopes: [],
      handlers: { AUTHENTICATE: () => new Promise(() => {}) },
    });
    const answer = await (await app()).call('AUTHENTICATE', { access_token: 'some token' });
    expect(answer).toMatchObject({ evt: 'ERROR', data: { code: ErrorCode.SERVICE_UNAVAILABLE } });
  });

  it('may throw RpcError and CloseError of its own classes', async () => {
    class Foreign extends Error {
      readonly code: number;
      constructor(name: string, code: number, message: string) {
        super(message);
        this.name = name;
        this.code = code;
      }
    }
    const { app } = await memoryBridge({
      handlers: {
        GET_GUILDS: () => Promise.reject(new Foreign('RpcError', ErrorCode.INVALID_GUILD, 'none')),
        GET_VOICE_SETTINGS: () => Promise.reject(new Foreign('CloseError', CloseCode.TOKEN_REVOKED, 'bye')),
        GET_RELATIONSHIPS: () => Promise.reject(new Foreign('Other', 4003, 'SECRET')),
      },
      scopes: ['rpc', 'relationships.read'],
    });
    const peer = await app();
    expect((await peer.call('GET_GUILDS')).data).toEqual({ code: ErrorCode.INVALID_GUILD, message: 'none' });
    expect((await peer.call('GET_RELATIONSHIPS')).data).toMatchObject({ code: ErrorCode.UNKNOWN_ERROR });
    peer.request('GET_VOICE_SETTINGS');
    expect(await peer.closed()).toEqual({ code: CloseCode.TOKEN_REVOKED, message: 'bye' });
  });
});
