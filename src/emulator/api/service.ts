import type { Recovery } from '../kernel/state/telling.ts';
import type { Transaction, World } from './world.ts';

/** Work of the emulator that goes on beside requests: it follows changes, waits for times, or holds something open. */
export interface Service {
  /** In the words of the log, such as "the time of polls". */
  readonly name: string;
  /** Begins with the state as it is. */
  start?(): void;
  /** Follows the rows that a transaction made different, as `World.subscribeRows` delivers them. */
  onCommit?(transaction: Transaction): void;
  /** Subscribes to what is no row: signals, or what transactions mean. The returned function ends it. */
  subscribe?(recovery: Recovery): () => void;
  /** Puts right what it could not follow, by the state as it is. Default: `stop`, then `start`. */
  recover?(): void;
  /** Ends it for good; neither a change nor a timer reaches it afterwards. */
  stop?(): void | Promise<void>;
}

/**
 * Subscribes all services and then starts them, in their order, so that each hears what the others do as they start. The returned
 * function stops them in reverse order, once, and rejects with the first failure after all have been stopped.
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
        // What stops at once leaves no moment for anything to happen in between.
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
