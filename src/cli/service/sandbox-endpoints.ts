import type { OsName } from '../../../platform/endpoint/endpoints.ts';
import { usedSandboxes } from '../../../platform/process/used-sandboxes.ts';
import type { EndpointSetting } from '../../daemon/config/endpoints.ts';
import type { Io } from '../../daemon/io.ts';
import { confirmed } from '../confirm.ts';

/** What happens to endpoints that are useful and missing; `ask` needs a terminal. */
export type SandboxOffer = 'add' | 'ask' | 'mention';

/**
 * Offers the endpoints for the kinds of sandboxes that this user has programs in, or adds them to the configuration file
 * without a question. Returns a line for each.
 */
export async function offerSandboxEndpoints(
  configured: readonly EndpointSetting[],
  offer: SandboxOffer,
  io: Pick<Io, 'env' | 'stdin' | 'err'>,
): Promise<string[]> {
  const missing = usedSandboxes(process.platform as OsName, io.env).filter(
    (kind) => !configured.some(({ preset }) => preset === kind),
  );
  if (missing.length === 0) return [];
  const adds = offer === 'add' || (offer === 'ask' && (await isWanted(missing, io)));
  const notes: string[] = [];
  for (const kind of missing) {
    if (adds) notes.push(await add(kind));
    else
      notes.push(
        `${TITLES[kind]} are installed here. To serve the apps in them: footbridge endpoints add ${kind}`,
      );
  }
  return notes;
}

const TITLES = { flatpak: 'Flatpaks', snap: 'Snaps' } as const;

function isWanted(kinds: readonly (keyof typeof TITLES)[], io: Pick<Io, 'stdin' | 'err'>): Promise<boolean> {
  const titles = kinds.map((kind) => TITLES[kind]).join(' and ');
  return confirmed(
    `${titles} are installed here. Serve the apps in them, too? They may show an activity and nothing else.`,
    io,
  );
}

async function add(kind: 'flatpak' | 'snap'): Promise<string> {
  const { openConfiguration, saveConfiguration } = await import('../configuration/file.ts');
  const { withTable } = await import('../configuration/tables.ts');
  const { ENDPOINT_TABLES, endpointsOf } = await import('../endpoints/tables.ts');
  // The service reads the usual file, whatever this shell names.
  const file = await openConfiguration({}, undefined);
  const text = withTable(file, ENDPOINT_TABLES, { name: kind, preset: kind });
  endpointsOf(file, text, {});
  saveConfiguration(file, text);
  return `${TITLES[kind]} are installed here: the endpoint "${kind}" for the apps in them was added to ${file.path}, with the rights presence.`;
}
