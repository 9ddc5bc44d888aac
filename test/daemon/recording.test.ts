import { expect, it } from 'vitest';
import * as z from 'zod';
import type { AdminOperation } from '../../src/base/admin-operation.ts';
import { recordingOf } from '../../src/daemon/recording.ts';

it('leaves the operations as they were, also after two recordings that begin at once', async () => {
  const run = () => ({});
  const operations = {
    'channel.say': { summary: '', args: () => z.object({}), result: () => z.object({}), run },
  } as unknown as Readonly<Record<string, AdminOperation>>;
  const recording = recordingOf(() => operations);
  await Promise.all([recording.begin(), recording.begin()]);
  expect(recording.steps()).toBe(0);
  await recording.end('one');
  expect(recording.steps()).toBe(undefined);
  expect(await operations['channel.say']?.run({}, { via: 'control' })).toEqual({});
});
