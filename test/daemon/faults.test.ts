import { describe, expect, it } from 'vitest';
import { faultOperations } from '../../src/daemon/faults.ts';
import { Faults } from '../../src/faults/faults.ts';

const caller = { via: 'control' } as const;

/** The operations on faults of their own. */
function bench(core = 'emulator') {
  const needs = { faults: new Faults(), core };
  const [add, list, remove] = faultOperations;
  return {
    add: async (input: object) => {
      const checked = add.args().safeParse(input);
      if (!checked.success) throw checked.error;
      return add.run(needs, checked.data, caller);
    },
    list: async () => list.run(needs, {}, caller),
    remove: async (id?: string) => remove.run(needs, id === undefined ? {} : { id }, caller),
    check: (input: object) => add.args().safeParse(input).success,
  };
}

describe('fault.add', () => {
  it.each([
    [{ fault: 'delay=0' }, 'delay=0', 'all commands'],
    [{ fault: 'delay=600000', command: 'GET_GUILDS' }, 'delay=600000', 'GET_GUILDS'],
    [{ fault: 'drop', command: 'DISPATCH' }, 'drop', 'DISPATCH'],
    [{ fault: 'close=1000', command: 'HANDSHAKE' }, 'close=1000', 'HANDSHAKE'],
    [{ fault: 'error=999999' }, 'error=999999', 'all commands'],
    [{ fault: 'close=1003' }, 'close=1003', 'all commands'],
    [{ fault: 'close=1006' }, 'close=1006', 'all commands'],
    [{ fault: 'close=1014' }, 'close=1014', 'all commands'],
    [{ fault: 'close=3000' }, 'close=3000', 'all commands'],
    [{ fault: 'close=4999' }, 'close=4999', 'all commands'],
    [{ fault: 'split' }, 'split', 'all commands'],
    [{ fault: 'coalesce' }, 'coalesce', 'all commands'],
    [{ fault: 'slow=1' }, 'slow=1', 'all commands'],
    [{ fault: 'status=429', route: '*' }, 'status=429', 'all routes'],
    [{ fault: 'status=500', route: 'GET *' }, 'status=500', 'GET *'],
    [{ fault: 'status=599', route: '* /users/@me' }, 'status=599', '* /users/@me'],
    [{ fault: 'error=1', route: 'GET /api/v10/users/@me' }, 'error=1', 'GET /users/@me'],
    [{ fault: 'status=503', webhook: true, gateway: false }, 'status=503', 'webhook'],
    [{ fault: 'reconnect', gateway: true }, 'reconnect', 'gateway'],
  ])('adds %j', async (input, fault, where) => {
    const { add, list } = bench();
    const added = {
      id: 'f1',
      fault,
      where,
      application: null,
      left: null,
      probability: 1,
      seed: 1,
      struck: 0,
    };
    expect(await add(input)).toEqual(added);
    expect(await list()).toEqual([added]);
  });

  it('has an application, a number of times, and a chance with its seed', async () => {
    const { add } = bench();
    expect(await add({ fault: 'drop', application: '7', count: 2, probability: 0.5, seed: 9 })).toMatchObject(
      { application: '7', left: 2, probability: 0.5, seed: 9 },
    );
  });

  const rpcKinds = 'delay=MS, drop, error=CODE, close=CODE, split, coalesce, slow=BYTES_PER_SECOND';
  it.each([
    [{ fault: 'dela' }, `there is no fault "dela". Did you mean "delay"? There are ${rpcKinds}.`],
    [{ fault: 'zzzzz=1' }, `there is no fault "zzzzz". There are ${rpcKinds}.`],
    [{ fault: 'drop=1' }, 'drop takes no number.'],
    ...['delay', 'delay=', 'delay=x', 'delay=-1', 'delay=1.5', 'delay=600001', 'delay=12345678901'].map(
      (fault) => [{ fault }, 'delay is written delay=MS, a whole number from 0 to 600000.'] as const,
    ),
    [{ fault: 'slow=0' }, 'slow is written slow=BYTES_PER_SECOND, a whole number from 1 to 1000000000.'],
    [{ fault: 'error=1000000' }, 'error is written error=CODE, a whole number from 0 to 999999.'],
    ...[999, 1004, 1005, 1015, 2999, 5000].map(
      (code) =>
        [
          { fault: `close=${code}` },
          'close is written close=CODE, a whole number from 1000 to 1014 without 1004 and 1005, or from 3000 to 4999.',
        ] as const,
    ),
    ...[428, 430, 499, 600].map(
      (status) =>
        [
          { fault: `status=${status}`, route: '*' },
          'status is written status=STATUS, a whole number 429, or from 500 to 599.',
        ] as const,
    ),
    [{ fault: 'status=429' }, `status does not happen to commands of RPC. There: ${rpcKinds}.`],
    [
      { fault: 'coalesce', route: '*' },
      'coalesce does not happen to routes of HTTP. There: delay=MS, drop, error=CODE, status=STATUS, split, slow=BYTES_PER_SECOND.',
    ],
    [
      { fault: 'split', webhook: true },
      'split does not happen to webhooks. There: delay=MS, drop, status=STATUS.',
    ],
    [
      { fault: 'coalesce', gateway: true },
      'coalesce does not happen to the gateway. There: delay=MS, drop, close=CODE, reconnect, split, slow=BYTES_PER_SECOND.',
    ],
    [
      { fault: 'error=1', command: 'DISPATCH' },
      'error comes in the place of an answer, and DISPATCH is none; name the command.',
    ],
    [
      { fault: 'close=1000', command: 'DISPATCH' },
      'close comes in the place of an answer, and DISPATCH is none; name the command.',
    ],
    [
      { fault: 'error=1', command: 'HANDSHAKE' },
      'error does not happen to the handshake, which is refused with close=CODE.',
    ],
    [
      { fault: 'drop', seed: 1 },
      'seed: means nothing without a probability, because the fault strikes each time.',
    ],
    [{ fault: 'drop', command: 'GET_GUILD_' }, 'there is no command "GET_GUILD_". Did you mean "GET_GUILD"?'],
    [{ fault: 'drop', command: 'DISPATC' }, 'there is no command "DISPATC". Did you mean "DISPATCH"?'],
    [{ fault: 'drop', command: 'A', route: '*' }, 'give one of command, route, webhook and gateway.'],
    [{ fault: 'drop', webhook: true, gateway: true }, 'give one of command, route, webhook and gateway.'],
    ...['/users', 'get /users', 'GET users', 'GET /a b', 'x GET /users', 'GET'].map(
      (route) =>
        [
          { fault: 'drop', route },
          `a route is written "METHOD /path", such as "GET /users/@me", or "*" for all; not ${JSON.stringify(route)}.`,
        ] as const,
    ),
    [{ fault: 'drop', route: 'GET /users/@mee' }, 'the platform has no route "GET /users/@mee".'],
  ] as const)('refuses %j', async (input, problem) => {
    const { add, list } = bench();
    await expect(add(input)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_FAULT',
      message: expect.stringContaining(`fault: ${problem}`),
    });
    expect(await list()).toEqual([]);
  });

  it.each([{ route: '*' }, { webhook: true }, { gateway: true }])(
    'refuses %j for another core',
    async (where) => {
      const { add } = bench('upstream');
      await expect(add({ fault: 'drop', ...where })).rejects.toThrow(
        'fault: only the core "emulator" has routes, webhooks and a gateway; this bridge runs "upstream".',
      );
      expect(await add({ fault: 'drop', webhook: false, gateway: false })).toMatchObject({
        where: 'all commands',
      });
    },
  );

  it.each([
    { fault: '' },
    { fault: 'x'.repeat(41) },
    { command: '' },
    { command: 'x'.repeat(65) },
    { route: '' },
    { route: 'x'.repeat(301) },
    { application: 'x' },
    { application: '1'.repeat(21) },
    ...[0, 1_000_001, 1.5].map((count) => ({ count })),
    ...[0, 1.1, '1'].map((probability) => ({ probability })),
    ...[-1, 4_294_967_296, 0.5].map((seed) => ({ seed })),
  ])('rejects the argument %j', (input) => {
    expect(bench().check({ fault: 'drop', ...input })).toBe(false);
  });

  it('accepts arguments at their limits', () => {
    const limits = {
      command: 'x'.repeat(64),
      route: 'x'.repeat(300),
      application: '1'.repeat(20),
      count: 1_000_000,
    };
    expect(bench().check({ fault: 'x'.repeat(40), ...limits, probability: 1, seed: 4_294_967_295 })).toBe(
      true,
    );
    expect(
      bench().check({ fault: 'x', command: 'x', route: 'x', count: 1, probability: 0.001, seed: 0 }),
    ).toBe(true);
  });
});

describe('fault.remove', () => {
  it('removes one fault, or all of them', async () => {
    const { add, list, remove } = bench();
    for (let n = 0; n < 3; n++) await add({ fault: 'drop' });
    expect(await remove('f2')).toEqual({ removed: ['f2'] });
    expect(await remove()).toEqual({ removed: ['f1', 'f3'] });
    expect([await remove(), await list()]).toEqual([{ removed: [] }, []]);
  });

  it('names the faults that there are when it does not find one', async () => {
    const { add, remove } = bench();
    await expect(remove('f9')).rejects.toThrow('fault: there is no fault "f9". There is none.');
    await add({ fault: 'drop' });
    await add({ fault: 'drop' });
    await expect(remove('f9')).rejects.toThrow('fault: there is no fault "f9". There are f1, f2.');
  });
});
