import { constants } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Io } from '../../daemon/io.ts';
import { LogDestination } from '../../daemon/log/destination.ts';
import { humanLogger } from '../../daemon/log/logger.ts';
import { openSink } from '../../daemon/log/sink.ts';
import { leave } from '../../daemon/signals.ts';
import {
  type PrivateBridge,
  type PrivateBridgeOptions,
  startPrivateBridge,
} from '../../testing/private-bridge.ts';
import type { HeldSignals } from './child.ts';

/** Time that a bridge in the middle of its start gets to finish after a stop request (ms). */
const START_MS = 200;

/** Starts the private bridge of a command as {@link startUnlessStopped} does; the bridge logs to `err`. */
export async function startCommandBridge(
  fixture: string | undefined,
  signals: HeldSignals,
  io: Io,
  options: Pick<PrivateBridgeOptions, 'consent' | 'upstream' | 'strict'>,
): Promise<{ readonly bridge: PrivateBridge; readonly err: LogDestination } | number> {
  const err = new LogDestination(openSink(2, () => process.stderr));
  const bridge = await startUnlessStopped(signals, {
    fixture: fixture === undefined ? null : resolve(fixture),
    loadApi: 'idle',
    logger: humanLogger('warn', err, io.colour.err),
    ...options,
  });
  return typeof bridge === 'number' ? bridge : { bridge, err };
}

/**
 * Starts a private bridge: resolves with the bridge, or with the exit code for a signal that came first. A start that
 * reads a file without an end, such as a FIFO as fixture, must not keep the process alive.
 */
export async function startUnlessStopped(
  { first: stopped }: HeldSignals,
  options: Omit<PrivateBridgeOptions, 'signal'>,
): Promise<PrivateBridge | number> {
  const abandoned = new AbortController();
  const starting = startPrivateBridge({ ...options, signal: abandoned.signal });
  const first = await Promise.race([starting, stopped]);
  if (typeof first !== 'string') return first;
  const code = 128 + constants.signals[first];
  const settled = starting.catch(() => undefined);
  const bridge = await Promise.race([settled, delay(START_MS, 'late' as const)]);
  if (bridge === 'late') {
    abandoned.abort();
    await leave(code, first);
  } else await bridge?.close();
  return code;
}
