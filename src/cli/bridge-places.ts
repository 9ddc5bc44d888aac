import type { Environment } from '../../platform/endpoint/endpoints.ts';
import { type ControlClient, controlClient } from '../control/client.ts';
import type { ControlStatus } from '../control/routes.ts';
import { currentHost } from './daemon-client.ts';

/** Time limit for the status of the bridge (ms), so that a command does not wait for a bridge that hangs. */
export const STATUS_MS = 3000;

/** Files and folders of the bridge of this environment; undefined where none answers, or one that is too old. */
export async function bridgePlaces(
  env: Environment,
  client: Pick<ControlClient, 'status'> = controlClient({ folder: currentHost(), env, timeoutMs: STATUS_MS }),
): Promise<ControlStatus['places'] | undefined> {
  return placesIn(await client.status().catch(() => ({})));
}

/** State files that the bridge could not write, one line for each; none in the status of an older bridge. */
export function unstoredIn({ unstored = [] }: Partial<ControlStatus>): readonly string[] {
  return unstored;
}

/** Files and folders in the status of a bridge; absent in that of an older one. */
export function placesIn(status: Partial<ControlStatus>): ControlStatus['places'] | undefined {
  return status.places;
}
