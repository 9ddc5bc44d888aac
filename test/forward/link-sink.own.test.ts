import { expect, it, onTestFinished, vi } from 'vitest';
import { LinkSink } from '../../src/forward/link-sink.ts';
import { RecordingPeer, twoLinks } from './link/two-links.ts';

it('a session waits ten seconds for a link, and not after it has one', async () => {
  const { near } = await twoLinks(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const sink = new LinkSink();
  const early = new RecordingPeer();
  sink.connect(early, 7);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(early.aborted).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(early.aborted).toBe('The forward has no connection to its other end. Connect again later.');
  const [led, given] = [new RecordingPeer(), new RecordingPeer()];
  sink.connect(led, 7);
  sink.use(near);
  expect([near.size, led.partner === undefined]).toEqual([1, false]);
  sink.use(undefined);
  sink.connect(given, 7);
  sink.giveUp();
  sink.giveUp();
  expect(vi.getTimerCount()).toBe(0);
  // Nobody waits any more.
  sink.use(near);
  expect(near.size).toBe(1);
});

it('a session beyond those that a link may have is refused', async () => {
  const { near } = await twoLinks(() => {});
  const sink = new LinkSink();
  near.end(undefined);
  sink.use(near);
  const app = new RecordingPeer();
  sink.connect(app, 7);
  expect(app.aborted).toBe('The forward has as many sessions as it may have.');
});
