import type { Recovery } from '../kernel/state/event-queue.ts';
import type { Transaction, World } from './world.ts';

/** Background work of the emulator: it follows changes, runs timers, or owns an open resource. */
export interface Service {
  /** Name in the log, such as "the time of polls". */
  readonly name: string;
  /** Starts from the current state. */
  start?(): void;
  /** Handles the changed rows of a transaction. `World.subscribeRows` calls it. */
  onCommit?(transaction: Transaction): void;
  /** Subscribes to signals or derivations. The returned function ends the subscription. */
  subscribe?(recovery: Recovery): () => void;
  /** Resynchronizes with the current state after a failure. Default: `stop`, then `start`. */
  recover?(): void;
  /** Stops the service for good. Afterwards no change and no timer reaches it. */
  stop?(): void | Promise<void>;
}

/**
 * Subscribes all services and then starts them in order, so that each receives the changes that the others make at
 * their start. The returned function stops them once, in reverse order, and rejects with the first failure after all
 * are stopped.
 */
export function startServices(
  world: Pick<World, 'subscribeRows'>,
  services: readonly Service[],
): () => Promise<void> {
  const subscribed = services.map((service) => ({ service, ends: subscribe(world, service) }));
  for (const { service } of subscribed) service.start?.();
  const stopAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const { service, ends } of subscribed.reverse()) {
      for (const end of ends) end();
      try {
        const stopping = service.stop?.();
        // Only real promises are awaited, so that services that stop synchronously all stop in one turn of the event
        // loop.
        if (stopping !== undefined) await stopping;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= stopAll();
    return stopped;
  };
}

function subscribe(world: Pick<World, 'subscribeRows'>, service: Service): readonly (() => void)[] {
  const recovery = recoveryOf(service);
  const end = service.subscribe?.(recovery);
  return [
    ...(service.onCommit === undefined
      ? []
      : [world.subscribeRows((transaction) => service.onCommit?.(transaction), recovery)]),
    ...(end === undefined ? [] : [end]),
  ];
}

function recoveryOf(service: Service): Recovery {
  return {
    name: service.name,
    recover: () => {
      if (service.recover !== undefined) return service.recover();
      void service.stop?.();
      service.start?.();
    },
  };
}
