import { expect, it } from 'vitest';
import { coreReach } from '../../src/cli/core-reach.ts';

it.each([
  ['emulator', undefined, true, true, 'no chat client is needed'],
  ['/x/core.js', undefined, null, true, 'does not report'],
  ['upstream', { present: true, path: '/p', fallback: null }, true, true, 'stands behind it at /p'],
  [
    'upstream',
    { present: false, path: null, fallback: null },
    false,
    false,
    'behind it; apps get the answer to try',
  ],
  [
    'upstream',
    { present: false, path: '/p', why: '/p leads back. Stop it.', fallback: null },
    false,
    false,
    'nothing behind it can be used; apps get the answer to try again later',
  ],
  [
    'upstream',
    { present: false, path: '/p', fallback: null },
    false,
    false,
    'any more (the last was at /p); apps',
  ],
  [
    'upstream',
    { present: false, path: null, fallback: { core: 'emulator' } },
    false,
    true,
    '"emulator" answers',
  ],
  ['attach', { url: 'ws://x', clients: [{ name: 'a', attached: [{}] }] }, true, true, 'attached: a'],
  [
    'attach',
    { url: 'ws://x', clients: [{ name: 'a', attached: [] }] },
    false,
    true,
    'no paired chat client is attached; apps get READY',
  ],
  ['attach', { url: null, clients: [] }, false, true, 'the attach port is taken; apps get READY'],
])(
  'coreReach reports the core %s with the details %j as behind: %s',
  async (core, answer, behind, served, text) => {
    const client = {
      status: () => Promise.reject(new Error('not asked')),
      operations: () => Promise.resolve([]),
      call: () => Promise.resolve(answer),
    };
    expect(await coreReach(client, core)).toEqual({
      core,
      behind,
      served,
      text: expect.stringContaining(text),
      remedy: behind === false ? expect.any(String) : null,
    });
  },
);
