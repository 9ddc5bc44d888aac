import { dirname } from 'node:path';
import { LocalError } from '../../base/local-error.ts';
import { printable } from '../../base/text.ts';
import { findControl } from '../../control/address.ts';
import { bridgeVariables } from '../../control/bridge-variables.ts';
import type { Io } from '../../daemon/io.ts';
import { currentHost, daemonClient } from '../daemon-client.ts';
import { WORLD_VARIABLE } from '../world-option.ts';

/** Variables with which programs find the running bridge. */
export type Variables = Readonly<Record<string, string>>;

/**
 * Returns the variables of the running bridge. Prints on stderr which endpoint other client libraries try first, if it
 * is not the bridge's. Throws `LocalError` FOOTBRIDGE_NO_DAEMON when no bridge runs.
 */
export async function runningVariables(io: Io): Promise<Variables> {
  const world = io.env[WORLD_VARIABLE] || undefined;
  // Nobody listens for apps of a world before somebody asks.
  if (world !== undefined) await daemonClient(io, { world: '' }).call('world.endpoint', { name: world });
  const { core, endpoints, notInFrontOf } = await daemonClient(io).status();
  const pathOf = (kind: 'ipc' | 'websocket'): string | undefined =>
    endpoints.find((endpoint) => endpoint.kind === kind)?.path;
  const host = currentHost();
  const endpoint = pathOf('ipc');
  if (endpoint === undefined) {
    throw new LocalError('FOOTBRIDGE_CONTROL', 'The bridge has no socket for apps. Restart it.');
  }
  const [first] = notInFrontOf;
  if (first !== undefined) {
    io.err(
      `footbridge: only apps that read FOOTBRIDGE_ENDPOINT reach the bridge; others find ${printable(first.path)} first: ${printable(first.why)}\n`,
    );
  }
  return bridgeVariables(io.env, {
    folder: host.os === 'win32' ? undefined : dirname(endpoint),
    endpoint,
    api: core.api,
    ws: pathOf('websocket'),
    control: findControl(host, io.env),
    world,
  });
}
