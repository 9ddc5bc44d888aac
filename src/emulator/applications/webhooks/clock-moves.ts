import type { EmulatorClock } from '../../kernel/clock.ts';
import type { Webhooks } from './webhooks.ts';

/** Maximum time that a move of the clock waits for applications, in real milliseconds. */
const MAX_WAIT_MS = 8_000;

/**
 * A clock whose moves wait for the deliveries that they cause. The waits let a failing application be retried at each
 * of its due times.
 */
export interface Moved {
  readonly clock: EmulatorClock;
  readonly webhooks: Pick<Webhooks, 'isBusy' | 'settled'>;
}

/** Advances the clock. Rejects with SettingError for a negative or excessive duration. */
export async function advanceClock({ clock, webhooks }: Moved, ms: number): Promise<void> {
  let left = ms;
  await moved(webhooks, (pauses) => {
    const rest = clock.advance(left, pauses);
    left = rest ?? 0;
    return rest === undefined;
  });
}

/**
 * Advances the clock to the next timer within `ms`, which then runs. Returns the skipped milliseconds: 0 where nothing is due
 * within that time, and for a clock that is frozen or locked.
 */
export async function skipToNext(moved: Moved, ms: number): Promise<number> {
  const { clock } = moved;
  const left = (clock.next ?? Number.POSITIVE_INFINITY) - clock.now();
  if (left > ms || clock.isLocked || clock.status().frozen) return 0;
  await advanceClock(moved, Math.max(0, left));
  return Math.max(0, left);
}

/** Sets the clock. Rejects with SettingError for a time that ids cannot represent. */
export async function setClock({ clock, webhooks }: Moved, time: number): Promise<void> {
  await moved(webhooks, (pauses) => clock.set(time, pauses));
}

async function moved(webhooks: Moved['webhooks'], move: (pauses: () => boolean) => boolean): Promise<void> {
  const until = AbortSignal.timeout(MAX_WAIT_MS);
  const pauses = () => webhooks.isBusy && !until.aborted;
  let hasArrived = false;
  while (!hasArrived) {
    await webhooks.settled(until);
    hasArrived = move(pauses);
  }
  await webhooks.settled(until);
}
