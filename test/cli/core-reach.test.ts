import { expect, it } from 'vitest';
import { coreReach } from '../../src/cli/core-reach.ts';

it.each([
  ['emulator', undefined, true, 'no chat client is needed'],
  ['/x/core.js', undefined, null, 'does not tell'],
  ['upstream', { present: true, path: '/p', fallback: null }, true, 'stands behind it at /p'],
  ['upstream', { present: false, path: null, fallback: null }, false, 'told to try again later'],
  ['upstream', { present: false, path: null, fallback: { core: 'emulator' } }, false, '"emulator" answers'],
  ['attach', { url: 'ws://x', clients: [{ name: 'a', attached: [{}] }] }, true, 'attached: a'],
  ['attach', { url: 'ws://x', clients: [{ name: 'a', attached: [] }] }, false, 'no paired chat client is'],
  ['attach', { url: null, clients: [] }, false, 'the attach port is taken'],
])('%s %j: %s', async (core, answer, behind, text) => {
  const client = {
    status: () => Promise.reject(new Error('not asked')),
    operations: () => Promise.resolve([]),
    call: () => Promise.resolve(answer),
  };
  expect(await coreReach(client, core)).toEqual({ core, behind, text: expect.stringContaining(text) });
});
