import { affordableConnections } from '../../platform/process/descriptor-limit.ts';
import type { Logger } from '../server/options.ts';
import type { Limits } from '../session/limits.ts';

/** Descriptors per app: two with `upstream`, which opens a connection of its own to the client for each app. */
export function descriptorsOf(core: string): number {
  return core === 'upstream' ? 2 : 1;
}

/** The limits, with fewer connections where the limit of open files has no room for all; a warning is logged then. */
export function affordableLimits(
  limits: Limits,
  descriptors: number | undefined,
  each: number,
  logger: Logger,
): Limits {
  const connections = affordableConnections(limits.connections, descriptors, each);
  if (connections < limits.connections) {
    logger.warn(
      { count: connections },
      'fewer connections than configured: the limit of open files is too low',
    );
  }
  return { ...limits, connections };
}
