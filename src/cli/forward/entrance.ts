import { existsSync } from 'node:fs';
import { LocalError } from '../../base/local-error.ts';
import type { Io } from '../../daemon/io.ts';
import type { ForwardEndpoint } from '../../forward/endpoint.ts';
import type { Entrance, ForwardRights } from '../../forward/forward.ts';
import { listeningEndpoint } from '../app/endpoint.ts';

/**
 * Opens the way into the bridge or chat client at the `--to` end of this machine. Throws `LocalError` FOOTBRIDGE_FORWARD
 * where the rights cannot be enforced, and FOOTBRIDGE_NO_DAEMON where nothing listens.
 */
export async function enterBridge(to: ForwardEndpoint, rights: ForwardRights, io: Io): Promise<Entrance> {
  if (rights !== 'full') {
    throw new LocalError(
      'FOOTBRIDGE_FORWARD',
      'This bridge cannot limit the rights of apps to presence. Add --rights full, and apps of the other end may do everything that local apps may.',
    );
  }
  if (to.kind === 'socket') return { path: () => Promise.resolve(to.path), close: () => {} };
  let found = await foundEndpoint(io);
  return {
    async path() {
      // A bridge that was restarted may listen elsewhere. A pipe of Windows has no file to look for.
      if (!found.startsWith('\\') && !existsSync(found)) found = await foundEndpoint(io);
      return found;
    },
    close: () => {},
  };
}

async function foundEndpoint(io: Io): Promise<string> {
  const path = await listeningEndpoint(io);
  if (path !== undefined) return path;
  throw new LocalError(
    'FOOTBRIDGE_NO_DAEMON',
    'No bridge or chat client listens here. Start one with: footbridge run',
  );
}
