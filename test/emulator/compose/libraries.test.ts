import { expect, it } from 'vitest';
import { dayTables } from '../../stories/day/results.ts';

it('the tables name a library with its version, each step in plain text, and why one is absent', () => {
  const steps = { login: 'works', hangUp: 'fails', search: 'knows no search' };
  const text = dayTables([{ kind: 'bots', library: 'otterbot', steps }], { otterbot: '1.2.3' });
  expect(text).toContain('| step | otterbot 1.2.3 |\n');
  expect(text).toContain('| login | ✓ |\n| hang up | ✗ |\n| search | – |\n');
  expect(text).toContain('- otterbot: knows no search (search).\n');
});
