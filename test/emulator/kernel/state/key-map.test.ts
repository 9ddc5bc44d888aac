import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeyMap } from '../../../../src/emulator/kernel/state/key-map.ts';

it('a KeyMap behaves like a Map for any sequence of changes', () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 300 }), fc.boolean()), { maxLength: 2000, size: 'max' });
  fc.assert(
    fc.property(steps, (run) => {
      const map = new KeyMap<number>();
      const model = new Map<string, number>();
      const [actual, expected]: [unknown[], unknown[]] = [[], []];
      for (const [index, [number, put]] of run.entries()) {
        const key = String(number);
        if (put) {
          map.set(key, index);
          model.set(key, index);
        } else if (model.delete(key)) map.delete(key);
        actual.push(map.size, map.get(key));
        expected.push(model.size, model.get(key));
      }
      expect(actual).toEqual(expected);
      expect([...map.keys()].sort()).toEqual([...model.keys()].sort());
    }),
    { numRuns: 50 },
  );
});
