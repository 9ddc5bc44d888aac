import { expect, it } from 'vitest';
import { faultBridge } from '../helpers/fault-bridge.ts';
import { rounds } from '../helpers/rounds.ts';
import { runRandomSessions } from './random-sessions.ts';

const SESSIONS = rounds({ few: 300, many: 1500 });

it(`${SESSIONS} random sessions close nothing but themselves [T32, R19]`, async () => {
  const bridge = await faultBridge({ limits: { connects_burst: 100_000 } });
  // A new seed each time: what it finds can be repeated from the message.
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { refused, answered } = await runRandomSessions(bridge.endpoint, {
    count: SESSIONS,
    seed,
    atOnce: 8,
  });
  expect(refused, `seed ${seed}`).toBe(0);
  expect(answered).toBeGreaterThan(0);
  const app = await bridge.app();
  expect((await app.call('GET_GUILDS')).cmd, `seed ${seed}`).toBe('GET_GUILDS');
  expect((await bridge.control.status()).pid).toBe(bridge.pid);
  const { code, stderr } = await bridge.stop();
  expect([code, stderr.includes('defect')], `seed ${seed}`).toEqual([0, false]);
});
