import { expect, it } from 'vitest';
import { LinkSink } from '../../src/forward/link-sink.ts';
import { eventually } from '../helpers/eventually.ts';
import { RecordingPeer, twoLinks } from './link/two-links.ts';

it('sessions that come without a link wait for the next one, with the number of their process', async () => {
  const sink = new LinkSink();
  const app = new RecordingPeer();
  const processes: number[] = [];
  sink.connect(app, 7);
  expect([app.partner, app.aborted]).toEqual([undefined, undefined]);
  const { near, far } = await twoLinks((_peer, process) => void processes.push(process));
  sink.use(near);
  sink.connect(new RecordingPeer(), 8);
  expect(app.partner).toBeDefined();
  await eventually(() => expect(far.size).toBe(2));
  expect(processes).toEqual([7, 8]);
});

it('sessions that wait are aborted with a reason when there are too many, and when the forward ends', () => {
  const sink = new LinkSink();
  const apps = Array.from({ length: 1025 }, () => new RecordingPeer());
  for (const app of apps) sink.connect(app, 7);
  expect(apps.filter(({ aborted }) => aborted !== undefined)).toEqual([apps.at(-1)]);
  sink.giveUp();
  expect(apps.every(({ aborted }) => aborted?.includes('no connection to its other end') === true)).toBe(
    true,
  );
});
