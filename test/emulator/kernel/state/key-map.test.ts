import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeyMap } from '../../../../src/emulator/kernel/state/key-map.ts';

it('a KeyMap behaves like a Map for any sequence of changes', () => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 300 }), fc.boolean()), { maxLength: 2000 });
  fc.assert(
    fc.property(steps, (run) => {
      const map = new KeyMap<number>();
      const model = new Map<string, number>();
      for (const [index, [number, put]] of run.entries()) {
        const key = String(number);
        if (put) {
          map.set(key, index);
          model.set(key, index);
        } else if (model.delete(key)) map.delete(key);
        expect(map.size).toBe(model.size);
        expect(map.get(key)).toBe(model.get(key));
      }
      expect([...map.keys()].sort()).toEqual([...model.keys()].sort());
    }),
    { numRuns: 50 },
  );
});
