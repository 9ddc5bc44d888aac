import { verify } from '../failure.ts';
import { formatValue } from '../format.ts';
import { isRecord } from '../schema.ts';
import { sleep } from '../target/launch.ts';
import { type ClientCase, clientCase } from './case.ts';
import { DETAILS, type Endpoint, type Stage, type Task } from './stage.ts';
import type { Visitor } from './visitor.ts';

const AWAY_MS = 500;
const STORM_MS = 3000;
const MAX_ATTEMPTS = 30;

/** Case of a client whose server disappears and returns. Resolves with the client's next connection, after READY. */
async function returns(
  stage: Stage,
  task: Task,
  before: (visitor: Visitor) => Promise<void>,
): Promise<Visitor> {
  const { endpoint, visitor } = await stage.meet(task);
  await before(visitor);
  await endpoint.close();
  await sleep(AWAY_MS);
  await endpoint.open();
  const again = await endpoint.visitor(stage.timeouts.deadlineMs);
  await again.welcome();
  return again;
}

async function countVisits(endpoint: Endpoint): Promise<number> {
  const before = endpoint.visits;
  await sleep(STORM_MS);
  return endpoint.visits - before;
}

/** Cases about the behaviour of a client when its server disappears. */
export const recoveryCases: readonly ClientCase[] = [
  clientCase('client-recovery/1', 'the server comes back, and so does the client', async (stage) => {
    await returns(stage, 'idle', () => sleep(100));
  }),
  clientCase('client-recovery/2', 'its activity is set again', async (stage) => {
    const visitor = await returns(stage, 'presence', async (first) => {
      const request = await first.requestOf('SET_ACTIVITY');
      first.answer(request, isRecord(request.args) ? request.args['activity'] : null);
      await sleep(50);
    });
    const { args } = await visitor.requestOf('SET_ACTIVITY', stage.timeouts.deadlineMs);
    const activity = isRecord(args) && isRecord(args['activity']) ? args['activity'] : {};
    verify(activity['details'] === DETAILS, `details ${formatValue(DETAILS)}`, () => formatValue(activity));
  }),
  clientCase('client-recovery/3', 'its subscription is made again', async (stage) => {
    const visitor = await returns(stage, 'subscribe', async (first) => {
      const request = await first.requestOf('SUBSCRIBE');
      first.answer(request, { evt: request.evt });
      await sleep(50);
    });
    const { evt } = await visitor.requestOf('SUBSCRIBE', stage.timeouts.deadlineMs);
    verify(evt === 'VOICE_SETTINGS_UPDATE', 'evt VOICE_SETTINGS_UPDATE', formatValue(evt));
  }),
  clientCase('client-recovery/4', 'a server that hangs up at once is not stormed', async (stage) => {
    const { endpoint, visitor } = await stage.meet('idle');
    await sleep(100);
    visitor.destroy();
    endpoint.hangUp();
    const visits = await countVisits(endpoint);
    verify(visits <= MAX_ATTEMPTS, `at most ${MAX_ATTEMPTS} attempts in ${STORM_MS} ms`, String(visits));
  }),
];
