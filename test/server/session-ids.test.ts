import { expect, it } from 'vitest';
import { SessionIds } from '../../src/server/session-ids.ts';

it('SessionIds draws ids of 32 hexadecimal digits without repetition', () => {
  const ids = new SessionIds();
  const drawn = Array.from({ length: 1000 }, () => ids.next());
  expect(new Set(drawn).size).toBe(1000);
  for (const id of drawn) expect(id).toMatch(/^[0-9a-f]{32}$/);
});
