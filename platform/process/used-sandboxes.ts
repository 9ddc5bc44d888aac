import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { absoluteFolder, type Environment, type OsName } from '../endpoint/endpoints.ts';

/**
 * Returns the kinds of sandboxes in which programs are installed for this user: Flatpak's folder `app` of the system and
 * of the user, and the folder of the commands of snaps. `root` is the root folder; tests pass another one.
 */
export function usedSandboxes(os: OsName, env: Environment, root = '/'): ('flatpak' | 'snap')[] {
  if (os !== 'linux') return [];
  const home = absoluteFolder(env['HOME']);
  const data =
    absoluteFolder(env['XDG_DATA_HOME']) ?? (home === undefined ? undefined : join(home, '.local/share'));
  const flatpaks = [
    join(root, 'var/lib/flatpak/app'),
    ...(data === undefined ? [] : [join(data, 'flatpak/app')]),
  ];
  const snaps = [join(root, 'snap/bin'), join(root, 'var/lib/snapd/snap/bin')];
  return [
    ...(flatpaks.some(hasEntries) ? (['flatpak'] as const) : []),
    ...(snaps.some(hasEntries) ? (['snap'] as const) : []),
  ];
}

function hasEntries(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}
