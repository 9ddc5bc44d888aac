import type { EmulatorClock } from './clock.ts';
import { ScheduledEvents } from './scheduled-events/events.ts';
import { Stages } from './stages/stages.ts';
import type { World } from './world.ts';

/** What becomes of the state by the clock alone: what was planned begins and ends, stages close. */
export function startByClock(world: World, clock: EmulatorClock) {
  const scheduledEvents = new ScheduledEvents(world, clock);
  const stages = new Stages(world, clock);
  const all = [scheduledEvents, stages];
  for (const [name, one] of [
    ['the time of scheduled events', scheduledEvents],
    ['the time of stages', stages],
  ] as const) {
    world.subscribeRows((transaction) => one.follow(transaction), {
      name,
      recover: () => {
        one.close();
        one.start();
      },
    });
    one.start();
  }
  return {
    scheduledEvents,
    close: () => {
      for (const one of all) one.close();
    },
  };
}
