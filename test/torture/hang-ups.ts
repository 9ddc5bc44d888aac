import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { atMost, type Scenario } from './figure.ts';
import { startAttacker, withTarget } from './target.ts';

const CONNECTS = 300;

/** One process that connects and hangs up as fast as it can, beside programs that connect without waiting. */
export const hangUps: Scenario = {
  name: 'hang-ups',
  rows: ['T44'],
  raised: {},
  run: () =>
    withTarget({}, async ({ endpoint }) => {
      const attacker = await startAttacker('hangups', endpoint, 1);
      await delay(1000);
      let failed = 0;
      for (let made = 0; made < CONNECTS; made += 1) {
        if (!(await connects(endpoint))) failed += 1;
        await delay(5);
      }
      await attacker.stop();
      const goal = `a process that connects and hangs up: of ${CONNECTS} connects beside it none fails`;
      return [atMost(goal, failed, 0, { unit: 'failed', digits: 0 })];
    }),
};

function connects(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
      .on('error', () => resolve(false))
      .on('connect', () => {
        socket.destroy();
        resolve(true);
      });
  });
}
