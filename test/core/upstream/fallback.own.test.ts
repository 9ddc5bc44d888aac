import { expect, it, onTestFinished, vi } from 'vitest';
import type { CoreHost, CoreSession, Peer } from '../../../src/core/core.ts';
import { Fallback } from '../../../src/core/upstream/fallback.ts';
import { CloseCode } from '../../../src/wire/codes.ts';
import { fakeCore, fakeReady } from '../../helpers/fake-core.ts';

const peer = (sessionId: string): Peer => ({
  sessionId,
  clientId: '1',
  transport: 'memory',
  signal: new AbortController().signal,
});

function bench() {
  const closed: unknown[] = [];
  const host: CoreHost = {
    emit: () => 0,
    relay() {},
    closeSessions(to, code, message) {
      closed.push([to, code, message]);
      return 1;
    },
    grant() {},
    log() {},
  };
  const state = { here: false, looks: 0 };
  const core = fakeCore();
  const fallback = new Fallback(core, async () => {
    state.looks += 1;
    return state.here;
  });
  return { closed, host, state, core, fallback };
}

it('the fallback closes only its own sessions, whichever its core means', async () => {
  const { closed, host, core, fallback } = bench();
  await fallback.start(host);
  await fallback.open(peer('a'));
  await fallback.open(peer('b'));
  const close = (to: Parameters<CoreHost['closeSessions']>[0]) =>
    core.host.closeSessions(to, CloseCode.NORMAL, 'bye');
  expect([close({}), close({ sessionId: 'b' }), close({ sessionId: 'c' })]).toEqual([2, 1, 0]);
  expect(closed).toEqual([
    [{ sessionId: 'a' }, 1000, 'bye'],
    [{ sessionId: 'b' }, 1000, 'bye'],
    [{ sessionId: 'b' }, 1000, 'bye'],
  ]);
  expect([fallback.name, fallback.size]).toEqual(['fake', 2]);
});

it('the fallback looks for the upstream every two seconds while it has sessions, and closes them once it is there', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { closed, host, state, core, fallback } = bench();
  await fallback.start(host);
  expect(vi.getTimerCount()).toBe(0);
  const sessions = [await fallback.open(peer('a')), await fallback.open(peer('b'))];
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1999);
  expect(state.looks).toBe(0);
  await vi.advanceTimersByTimeAsync(2001);
  expect([state.looks, closed]).toEqual([2, []]);
  state.here = true;
  await vi.advanceTimersByTimeAsync(2000);
  const text = 'The chat client is here; connect again';
  expect(closed).toEqual(['a', 'b'].map((sessionId) => [{ sessionId }, 1000, text]));
  sessions[0]?.close();
  expect([fallback.size, vi.getTimerCount()]).toEqual([1, 1]);
  sessions[1]?.close();
  expect([fallback.size, vi.getTimerCount()]).toEqual([0, 0]);
  expect(core.left).toEqual(['a', 'b']);
  await fallback.open(peer('c'));
  expect(vi.getTimerCount()).toBe(1);
  await fallback.stop();
  expect([vi.getTimerCount(), core.stops]).toEqual([0, 1]);
});

it('the fallback offers what its session offers, and nothing else', async () => {
  const whole = {
    ready: fakeReady,
    handlers: { GET_GUILDS: () => ({ guilds: [] }) },
    relay: async (request: unknown, call: unknown) => ['relay', request, call],
    preview: (activity: object) => ['preview', activity],
    subscribe: (...all: unknown[]) => ['subscribe', ...all],
    unsubscribe: (...all: unknown[]) => ['unsubscribe', ...all],
    garbled: () => 'garbled',
    refusal: (error: unknown) => ['refusal', error],
    close() {},
  } as unknown as Required<CoreSession>;
  const { ready, handlers, close } = whole;
  const open = async (session: CoreSession) =>
    new Fallback({ name: 'x', start: () => ({}), open: () => session, stop() {} }, async () => false).open(
      peer('a'),
    );
  expect(Object.keys(await open({ ready, handlers, close })).sort()).toEqual(['close', 'handlers', 'ready']);
  const { relay, preview, subscribe, unsubscribe, garbled, refusal, ...rest } = (await open(
    whole,
  )) as Required<CoreSession>;
  expect([rest.ready, rest.handlers]).toEqual([ready, handlers]);
  const any = (name: string) => name as never;
  expect(await relay(any('r'), any('c'))).toEqual(['relay', 'r', 'c']);
  // Without it, an app could tell that its presence is hidden by the form of the answer.
  expect(preview(any('p'))).toEqual(['preview', 'p']);
  expect(subscribe(any('e'), any('a'), any('c'))).toEqual(['subscribe', 'e', 'a', 'c']);
  expect(unsubscribe(any('e'), any('a'))).toEqual(['unsubscribe', 'e', 'a']);
  expect([garbled(), refusal(any('x'))]).toEqual(['garbled', ['refusal', 'x']]);
});
