import { expect, it } from 'vitest';
import { type Candidate, waiting } from '../../src/presence/order.ts';
import { textPattern } from '../../src/presence/pattern.ts';
import { appTexts } from '../../src/presence/ruling.ts';

it('decides for 5,000 apps that give way to every other app, a chain that is longer than the stack', () => {
  const giveWayTo = [textPattern('*')];
  const apps = Array.from({ length: 5000 }, (_, changedAt): Candidate => {
    const clientId = String(changedAt);
    const app = appTexts({ clientId, applicationName: undefined, programs: [] });
    return { session: clientId, clientId, app, giveWayTo, rank: 0, changedAt };
  });
  const waits = waiting(apps);
  expect(waits.size).toBe(4999);
  expect(waits.has('4999')).toBe(false);
});
