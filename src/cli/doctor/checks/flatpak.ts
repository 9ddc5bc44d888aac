import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, type Finding, notApplicable, ok, type Scene, socketsOf, warning } from '../check.ts';
import { namesIn } from '../names-in.ts';

const ENDPOINT = 'xdg-run/discord-ipc-0';
const MAX_NAMES = 8;

/** Whether apps in Flatpak sandboxes can access the endpoint. */
export const flatpak: Check = {
  id: 'flatpak',
  title: 'Permissions of Flatpak apps',
  explanation: `
    A Flatpak app sees of the runtime folder only what its permissions name. With \`xdg-run/discord-ipc-0\` it sees the
    endpoint, \`host\` and \`home\` do not include it.

    The check reads the permissions of the installed apps and your overrides. It warns for apps that are built for a chat
    client and cannot see the endpoint. The socket is mounted when the app starts: start the app while the bridge runs,
    and again after a restart of the bridge. The page \`sandboxes\` explains running apps.
  `,
  inspect({ os, env, endpoints, bridge }) {
    if (os !== 'linux') return notApplicable('there is no Flatpak on this system');
    const home = env['HOME'] ?? '';
    const data = env['XDG_DATA_HOME'] || join(home, '.local/share');
    const user = join(data, 'flatpak');
    const apps = installedApps([user, env['FLATPAK_SYSTEM_DIR'] || '/var/lib/flatpak']);
    if (apps.length === 0) return notApplicable('no Flatpak app is installed');
    if (endpoints.kind === 'known' && endpoints.source !== 'XDG_RUNTIME_DIR')
      return warning(
        'start the bridge with XDG_RUNTIME_DIR set, as a login session has it',
        `${apps.length} apps; the endpoint is outside of XDG_RUNTIME_DIR, where no sandbox sees it`,
      );
    const overrides = join(user, 'overrides');
    const everybody = filesystemsIn(join(overrides, 'global'));
    return findingOf(
      apps.map(({ id, metadata }) => ({
        id,
        filesystems: filesystemsIn(metadata),
        allowed: [...filesystemsIn(metadata), ...everybody, ...filesystemsIn(join(overrides, id))],
      })),
      servedClients(bridge),
    );
  },
};

interface App {
  readonly id: string;
  readonly filesystems: readonly string[];
  readonly allowed: readonly string[];
}

/** Flatpaks in whose folder below the runtime folder the bridge serves an endpoint. */
function servedClients(bridge: Scene['bridge']): readonly string[] {
  return socketsOf(bridge).flatMap((path) => /\/app\/([^/]+)\/discord-ipc-\d$/.exec(path)?.[1] ?? []);
}

/** `served` are the Flatpaks in whose folder an endpoint is, which they and all with a permission for it see. */
function findingOf(apps: readonly App[], served: readonly string[]): Finding {
  const paths = [ENDPOINT, ...served.map((client) => `xdg-run/app/${client}`)];
  const blind = apps.filter(
    ({ id, allowed }) => !served.includes(id) && !paths.some((path) => hasAccess(allowed, path)),
  );
  if (blind.length === 0) return ok(`all ${apps.length} apps see the endpoint`);
  // An app with access to the chat client's own folder probably uses the endpoint; other apps may not need it.
  const eager = blind.filter(({ filesystems }) =>
    filesystems.some((entry) => /discord|vesktop/i.test(entry)),
  );
  const evidence = [
    `${apps.length - blind.length} of ${apps.length} apps see the endpoint`,
    `not: ${shortList(blind.map(({ id }) => id))}`,
    ...(eager.length === 0
      ? []
      : [`meant to talk to a chat client: ${shortList(eager.map(({ id }) => id))}`]),
  ];
  return {
    verdict: eager.length === 0 ? 'ok' : 'warning',
    evidence,
    fix: `flatpak override --user --filesystem=${ENDPOINT} ${eager[0]?.id ?? 'APP'}, then start the app while the bridge runs`,
  };
}

/**
 * Whether the entries give access to a path below the runtime folder. Entries apply in order: a later `!` removes an
 * earlier entry. `host` does not include the runtime folder.
 */
function hasAccess(entries: readonly string[], wanted: string): boolean {
  let visible = false;
  for (const entry of entries) {
    const [path = ''] = entry.split(':');
    if (path === wanted || path === 'xdg-run') visible = true;
    else if (path === `!${wanted}`) visible = false;
  }
  return visible;
}

function installedApps(installations: readonly string[]): { id: string; metadata: string }[] {
  const found = new Map<string, string>();
  for (const installation of installations) {
    for (const id of namesIn(join(installation, 'app'))) {
      if (!found.has(id)) found.set(id, join(installation, 'app', id, 'current/active/metadata'));
    }
  }
  return [...found].map(([id, metadata]) => ({ id, metadata }));
}

/** `filesystems=` of `[Context]` in a metadata or override file (flatpak-metadata(5)). */
function filesystemsIn(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  const context = /^\[Context\]$([\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(text)?.[1] ?? '';
  const value = /^filesystems=(.*)$/m.exec(context)?.[1] ?? '';
  return value.split(';').filter((entry) => entry !== '');
}

function shortList(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return more > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${more} more` : names.join(', ');
}
