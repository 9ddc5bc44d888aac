import { describe, expect, it } from 'vitest';
import { SessionMemory } from '../../../src/core/upstream/memory.ts';

type Step = readonly [
  'intend' | 'note' | 'failed',
  cmd: string,
  args?: unknown,
  evt?: string | undefined,
  order?: number,
];

/** Carries out the steps; unless stated, each has the next order. */
function memoryAfter(...steps: readonly Step[]): SessionMemory {
  const memory = new SessionMemory();
  for (const [index, [kind, cmd, args = {}, evt, order = index]] of steps.entries())
    memory[kind]({ cmd, args, evt }, order);
  return memory;
}

const activity = (state: string | null | undefined): unknown => ({ pid: 7, activity: state && { state } });

describe('the presence to restore', () => {
  it.each<[string, Step[], unknown]>([
    ['none', [], undefined],
    ['one that was not answered', [['intend', 'SET_ACTIVITY', activity('a')]], undefined],
    ['the answered one', [['note', 'SET_ACTIVITY', activity('a')]], activity('a')],
    ['of another command', [['note', 'GET_GUILDS', activity('a')]], undefined],
    [
      'the later one',
      [
        ['note', 'SET_ACTIVITY', activity('a')],
        ['note', 'SET_ACTIVITY', activity('b')],
      ],
      activity('b'),
    ],
    [
      'the later request, if it is answered first',
      [
        ['note', 'SET_ACTIVITY', activity('b'), undefined, 2],
        ['note', 'SET_ACTIVITY', activity('a'), undefined, 1],
      ],
      activity('b'),
    ],
    ...[activity(null), activity(undefined), null, 'text'].map((cleared): [string, Step[], unknown] => [
      `none after ${JSON.stringify(cleared)}, before its answer`,
      [
        ['note', 'SET_ACTIVITY', activity('a')],
        ['intend', 'SET_ACTIVITY', cleared],
      ],
      undefined,
    ]),
    [
      'none after a clear that is later than the answered request',
      [
        ['intend', 'SET_ACTIVITY', activity(null), undefined, 2],
        ['note', 'SET_ACTIVITY', activity('a'), undefined, 1],
      ],
      undefined,
    ],
    [
      'one that another command has not cleared',
      [
        ['note', 'SET_ACTIVITY', activity('a')],
        ['intend', 'GET_GUILDS', activity(null)],
      ],
      activity('a'),
    ],
    [
      'not a clear that was answered',
      [
        ['note', 'SET_ACTIVITY', activity('a')],
        ['note', 'SET_ACTIVITY', activity(null)],
      ],
      activity('a'),
    ],
  ])('is %s', (_name, steps, args) => {
    expect(memoryAfter(...steps).presence?.args).toEqual(args);
  });
});

describe('the token to repeat', () => {
  it('is that of the last AUTHENTICATE that succeeded', () => {
    expect(memoryAfter(['intend', 'AUTHENTICATE', { access_token: 'a' }]).authentication).toBeUndefined();
    const memory = memoryAfter(
      ['note', 'AUTHENTICATE', { access_token: 'a' }],
      ['note', 'AUTHENTICATE', { access_token: 'b' }],
      ['failed', 'AUTHENTICATE', { access_token: 'b' }],
      ['note', 'SUBSCRIBE', {}, 'A'],
    );
    expect(memory.authentication).toEqual({ cmd: 'AUTHENTICATE', args: { access_token: 'b' } });
  });
});

describe('the subscriptions to repeat', () => {
  const accepted: Step[] = [
    ['intend', 'SUBSCRIBE', { a: 1, b: 2 }, 'E', 1],
    ['note', 'SUBSCRIBE', { a: 1, b: 2 }, 'E', 1],
  ];
  it.each<[string, Step[], number]>([
    ['accepted', accepted, 1],
    ['not yet answered', accepted.slice(0, 1), 0],
    ['accepted and ended', [...accepted, ['intend', 'UNSUBSCRIBE', { a: 1, b: 2 }, 'E']], 0],
    [
      'ended with its arguments in another order',
      [...accepted, ['intend', 'UNSUBSCRIBE', { b: 2, a: 1 }, 'E']],
      0,
    ],
    [
      'accepted, while another event was ended',
      [...accepted, ['intend', 'UNSUBSCRIBE', { a: 1, b: 2 }, 'F']],
      1,
    ],
    [
      'accepted, while other arguments were ended',
      [...accepted, ['intend', 'UNSUBSCRIBE', { a: 1 }, 'E']],
      1,
    ],
    ['refused', [...accepted.slice(0, 1), ['failed', 'SUBSCRIBE', { a: 1, b: 2 }, 'E', 1]], 0],
    [
      'accepted, and requested again without an answer',
      [
        ...accepted,
        ['intend', 'SUBSCRIBE', { a: 1, b: 2 }, 'E', 2],
        ['failed', 'SUBSCRIBE', { a: 1, b: 2 }, 'E', 2],
      ],
      1,
    ],
    [
      'requested twice, of which only the first failed',
      [
        ...accepted.slice(0, 1),
        ['intend', 'SUBSCRIBE', { a: 1, b: 2 }, 'E', 2],
        ['failed', 'SUBSCRIBE', { a: 1, b: 2 }, 'E', 1],
        ['note', 'SUBSCRIBE', { a: 1, b: 2 }, 'E', 2],
      ],
      1,
    ],
    [
      'requested twice, of which only the first was answered',
      [...accepted.slice(0, 1), ['intend', 'SUBSCRIBE', { a: 1, b: 2 }, 'E', 2], ...accepted.slice(1)],
      0,
    ],
    [
      'accepted, while an UNSUBSCRIBE failed',
      [...accepted, ['failed', 'UNSUBSCRIBE', { a: 1, b: 2 }, 'E', 1]],
      1,
    ],
    ['answered without a request', accepted.slice(1), 0],
    [
      'accepted without arguments',
      [
        ['intend', 'SUBSCRIBE', null, 'E', 1],
        ['note', 'SUBSCRIBE', {}, 'E', 1],
      ],
      1,
    ],
  ])('hold one that was %s: %#', (_name, steps, count) => {
    expect(memoryAfter(...steps).subscriptions).toHaveLength(count);
  });

  /** Requests a subscription that is accepted; returns whether it is stored. */
  const add = (memory: SessionMemory, evt: string, order: number): boolean => {
    const { length } = memory.subscriptions;
    memory.intend({ cmd: 'SUBSCRIBE', args: {}, evt }, order);
    memory.note({ cmd: 'SUBSCRIBE', args: {}, evt }, order);
    return memory.subscriptions.length > length;
  };

  it('are at most 1,024', () => {
    const memory = new SessionMemory();
    for (let n = 0; n < 1024; n++) expect(add(memory, `E${n}`, n)).toBe(true);
    expect(add(memory, 'X', 2000)).toBe(false);
    memory.intend({ cmd: 'UNSUBSCRIBE', args: {}, evt: 'E7' }, 2001);
    expect(add(memory, 'X', 2002)).toBe(true);
  });

  it('have at most 512 KiB of text, counted by what is stored', () => {
    const memory = new SessionMemory();
    const half = (name: string): string => name.repeat(256 * 1024 - ' []'.length);
    expect([add(memory, half('a'), 1), add(memory, half('b'), 2), add(memory, '', 3)]).toEqual([
      true,
      true,
      false,
    ]);
    memory.intend({ cmd: 'SUBSCRIBE', args: {}, evt: half('a') }, 4);
    memory.intend({ cmd: 'UNSUBSCRIBE', args: {}, evt: 'never there' }, 5);
    expect(add(memory, '', 6)).toBe(false);
    memory.intend({ cmd: 'UNSUBSCRIBE', args: {}, evt: half('a') }, 7);
    expect([add(memory, half('c'), 8), add(memory, '', 9)]).toEqual([true, false]);
  });
});
