import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Effect, type Input, initialState, type State, step } from '../../src/session/state.ts';
import { CloseError } from '../../src/wire/close-error.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';

const LIMITS = { heldFrames: 4, heldBytes: 200 };
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const frame = fc
  .tuple(
    fc.constantFrom<Opcode>(0, 1, 1, 1, 2, 3, 4),
    fc.oneof(fc.constant(text('{"v":1,"client_id":"1"}')), fc.uint8Array({ maxLength: 80, size: 'max' })),
  )
  .map(([opcode, body]): Input => ({ kind: 'frame', frame: { opcode, body } }));
const handshake: Input = {
  kind: 'frame',
  frame: { opcode: Opcode.HANDSHAKE, body: text('{"v":1,"client_id":"1"}') },
};
const input = fc.oneof(
  { weight: 8, arbitrary: frame },
  { weight: 2, arbitrary: fc.constant(handshake) },
  { weight: 2, arbitrary: fc.constant<Input>({ kind: 'accepted' }) },
  {
    weight: 1,
    arbitrary: fc.constant<Input>({ kind: 'close', error: new CloseError(CloseCode.NORMAL, 'x') }),
  },
  { weight: 1, arbitrary: fc.constant<Input>({ kind: 'ended' }) },
);

it('no order of inputs makes a session answer early, twice, or after it is closed [T25]', () => {
  fc.assert(
    fc.property(fc.array(input, { maxLength: 40, size: 'max' }), (inputs) => {
      let state: State = initialState;
      const effects: Effect['kind'][] = [];
      let asked = 0;
      for (const one of inputs) {
        const before = state;
        const [after, caused] = step(before, one, LIMITS);
        // A closed session does nothing whatever comes, and a closing one only ends.
        if (before.kind === 'closed') expect(caused).toEqual([]);
        if (before.kind === 'closing') expect(caused.every(({ kind }) => kind === 'dispose')).toBe(true);
        if (one.kind === 'frame' && one.frame.opcode === Opcode.FRAME) asked += 1;
        effects.push(...caused.map(({ kind }) => kind));
        state = after;
      }
      const count = (kind: Effect['kind']): number => effects.filter((one) => one === kind).length;
      for (const once of ['open', 'welcome', 'close', 'dispose'] as const)
        expect(count(once)).toBeLessThanOrEqual(1);
      expect(count('request')).toBeLessThanOrEqual(asked);
      if (count('request') > 0)
        expect(effects.indexOf('request')).toBeGreaterThan(effects.indexOf('welcome'));
      expect(count('resume')).toBeLessThanOrEqual(count('pause'));
      expect(effects.lastIndexOf('dispose')).toBe(count('dispose') === 0 ? -1 : effects.length - 1);
    }),
    { numRuns: 1500 },
  );
});
