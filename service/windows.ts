import { setTimeout as delay } from 'node:timers/promises';
import { LocalError } from '../src/base/local-error.ts';
import type { Launcher } from './launch.ts';
import type {
  Installed,
  InstallOptions,
  ServiceContext,
  ServiceDefinition,
  ServiceManager,
} from './manager.ts';
import { readReceipt } from './receipt.ts';
import { runKeyManager } from './run-key.ts';
import { taskSchedulerManager } from './task-scheduler.ts';

/** Replaces the clock and the start of programs in tests. */
export interface WindowsOptions {
  readonly sleep?: (ms: number) => Promise<unknown>;
  readonly launch?: Launcher;
}

/**
 * Returns the manager for the user's task, or for the `Run` key if it was installed because a policy blocks the Task
 * Scheduler.
 */
export function windowsManager(context: ServiceContext, options: WindowsOptions = {}): ServiceManager {
  const { sleep = delay, launch } = options;
  const key = runKeyManager(context, sleep, launch);
  if (readReceipt(context.stateFolder)?.kind === 'run-key') return key;
  const task = taskSchedulerManager(context, sleep);
  return {
    kind: task.kind,
    plan: (definition, how) => task.plan(definition, how),
    install: (definition, how) => installEither(task, key, isInstalled, definition, how),
    uninstall: (how) => current().uninstall(how),
    start: () => current().start(),
    stop: () => current().stop(),
    restart: () => current().restart(),
    status: () => current().status(),
    logs: (how) => current().logs(how),
  };

  function isInstalled(): boolean {
    return readReceipt(context.stateFolder) !== undefined;
  }

  /**
   * Reads the receipt at each call, because an installation may have switched to the other method since this object was
   * created.
   */
  function current(): ServiceManager {
    return readReceipt(context.stateFolder)?.kind === 'run-key' ? key : task;
  }
}

async function installEither(
  task: ServiceManager,
  key: ServiceManager,
  isInstalled: () => boolean,
  definition: ServiceDefinition,
  how: InstallOptions,
): Promise<Installed> {
  try {
    return await task.install(definition, how);
  } catch (error) {
    if (!(error instanceof LocalError) || error.code !== 'FOOTBRIDGE_SERVICE') throw error;
    // A task that is registered but does not start is still a task; with both methods, two bridges would start.
    if (isInstalled()) throw error;
    const installed = await key.install(definition, how);
    return {
      ...installed,
      notes: [
        `The Task Scheduler refused (${error.message}) The Run key is used instead.`,
        ...installed.notes,
      ],
    };
  }
}
