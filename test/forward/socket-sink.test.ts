import { expect, it } from 'vitest';
import { socketSink } from '../../src/forward/socket-sink.ts';
import { eventually } from '../helpers/eventually.ts';
import { RecordingPeer } from './link/two-links.ts';

it('a socket sink makes 64 connections at a time, and the others after them', async () => {
  const fails: (() => void)[] = [];
  const sink = socketSink(
    () => new Promise((_resolve, reject) => fails.push(() => reject(new Error('away')))),
  );
  const apps = Array.from({ length: 100 }, () => new RecordingPeer());
  for (const app of apps) sink.connect(app);
  await eventually(() => expect(fails).toHaveLength(64));
  fails[0]?.();
  await eventually(() => expect(fails).toHaveLength(65));
  expect(apps.filter(({ aborted }) => aborted !== undefined)).toHaveLength(1);
  for (let at = 1; at < 100; at += 1) {
    await eventually(() => expect(fails.length).toBeGreaterThan(at));
    fails[at]?.();
  }
  await eventually(() => expect(apps.every(({ aborted }) => aborted?.includes('away'))).toBe(true));
});
