import { expect, it } from 'vitest';
import { LinkSink } from '../../src/forward/link-sink.ts';
import { eventually } from '../helpers/eventually.ts';
import { RecordingPeer, twoLinks } from './link/two-links.ts';

it('sessions that come without a link wait for the next one', async () => {
  const sink = new LinkSink();
  const app = new RecordingPeer();
  sink.connect(app);
  expect([app.partner, app.aborted]).toEqual([undefined, undefined]);
  const { near, far } = await twoLinks(() => {});
  sink.use(near);
  expect(app.partner).toBeDefined();
  await eventually(() => expect(far.size).toBe(1));
});

it('sessions that wait are aborted with a reason when there are too many, and when the forward ends', () => {
  const sink = new LinkSink();
  const apps = Array.from({ length: 1025 }, () => new RecordingPeer());
  for (const app of apps) sink.connect(app);
  expect(apps.filter(({ aborted }) => aborted !== undefined)).toEqual([apps.at(-1)]);
  sink.giveUp();
  expect(apps.every(({ aborted }) => aborted?.includes('no connection to its other end') === true)).toBe(
    true,
  );
});
