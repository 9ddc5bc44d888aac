import { expect, it } from 'vitest';
import { endpointOperations } from '../../src/daemon/endpoints/operations.ts';

/** The operation that opens an endpoint, whose closes are counted. */
function bench() {
  const [, , open] = endpointOperations;
  const opened: unknown[][] = [];
  let closed = 0;
  const endpoints = {
    list: () => [],
    reload: async () => {},
    openPrivate: async (...all: unknown[]) => {
      opened.push(all);
      return {
        path: '/p',
        close: async () => {
          closed += 1;
        },
      };
    },
  };
  return {
    opened,
    closed: () => closed,
    open: (held: AbortSignal | undefined, more: object = {}) =>
      open.run({ endpoints }, { name: 'box', rights: 'full', ...more }, { via: 'control', held }),
    takes: (args: object) => open.args().safeParse({ name: 'box', rights: 'full', ...args }).success,
  };
}

it('an endpoint is closed with the connection of its caller, also where that has ended already', async () => {
  const { open, opened, closed } = bench();
  const connection = new AbortController();
  expect(await open(connection.signal, { host: 'pier' })).toEqual({ path: '/p' });
  expect([opened, closed()]).toEqual([[['box (pier)', 'full']], 0]);
  connection.abort();
  connection.signal.dispatchEvent(new Event('abort'));
  expect(closed()).toBe(1);
  await open(AbortSignal.abort());
  expect([opened[1], closed()]).toEqual([['box', 'full'], 2]);
});

it('an endpoint is not opened for a caller whose connection does not stay', async () => {
  const { open, opened } = bench();
  await expect(open(undefined)).rejects.toThrow(
    'endpoints.open: call it so that the connection stays open: POST …/endpoints.open/hold',
  );
  expect(opened).toEqual([]);
});

it.each([
  [{}, true],
  [{ name: 'x'.repeat(64), host: 'x'.repeat(128), rights: ['identify', 'rpc'] }, true],
  [{ host: 'a_b.c@d:e-f' }, true],
  [{ rights: 'presence' }, true],
  [{ rights: Array(256).fill('identify') }, true],
  [{ rights: Array(257).fill('identify') }, false],
  [{ rights: [] }, false],
  [{ rights: ['x'.repeat(129)] }, false],
  [{ rights: ['nonsense'] }, false],
  [{ rights: 'some' }, false],
  [{ name: 'x'.repeat(65) }, false],
  [{ name: 'a b' }, false],
  [{ host: '' }, false],
  [{ host: 'x'.repeat(129) }, false],
  [{ host: 'a b' }, false],
  [{ host: ' a' }, false],
])('endpoints.open takes %j: %s', (args, isValid) => {
  expect(bench().takes(args)).toBe(isValid);
});
