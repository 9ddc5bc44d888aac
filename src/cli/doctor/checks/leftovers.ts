import { basename } from 'node:path';
import { ENDPOINT_INDEXES, endpointPath } from '../../../../platform/endpoint/endpoints.ts';
import { type Probe, probeEndpoint } from '../../../../platform/endpoint/probe.ts';
import { searchFolders } from '../../../../platform/endpoint/search.ts';
import { describeProgram } from '../../../../platform/process/program.ts';
import { type Check, notApplicable, ok, type Scene } from '../check.ts';
import { linkAt, NOT_FOLLOWED } from '../link-at.ts';
import { disabling, findRecipe, removal } from '../recipes.ts';

/** Names of programs that relay a socket to another place (socat(1), systemd-socket-proxyd(8), npiperelay). */
const RELAYS = /^(?:socat\d*|systemd-socket-|npiperelay)/;

/** Link or relay of another program at an endpoint's path. */
interface Leftover {
  readonly text: string;
  /** The command that removes it; undefined while it works or belongs to another user. */
  readonly command?: string;
}

/** Links and relays that recipes of others left where apps look for an endpoint. */
export const leftovers: Check = {
  id: 'leftovers',
  title: 'Links and relays of other recipes',
  explanation: `
    Many instructions lead apps to the socket of a chat client in a sandbox by a symbolic link \`discord-ipc-0\`, or by a
    relay such as socat. Both outlive the chat client.

    - A link without a target keeps the bridge from that number. A sandbox with access to \`xdg-run/discord-ipc-0\`, such
      as the runtime of Steam, may refuse to start at all: "bwrap: Can't find source path" or "bwrap: Can't make
      symlink". A link whose target comes and goes does the same while the target is away.
    - A line in \`user-tmpfiles.d\` makes the link again at each login. It is removed with the link.
    - A relay whose target is away accepts each app and hangs up.

    Each line has the one command that removes the leftover. doctor never removes any of them, because another program
    may need it. The bridge needs no link: it serves the folder of a sandbox with a socket of its own.
  `,
  async inspect(scene) {
    const { os, env, uid, endpoints } = scene;
    if (os === 'win32') return notApplicable('pipes leave nothing behind');
    if (endpoints.kind === 'unknown') return notApplicable('the runtime folder is not known');
    const folders = [...new Set([endpoints.folder, ...searchFolders(os, env, uid)])];
    const found = (await Promise.all(folders.map((folder) => inspectFolder(folder, scene)))).flat();
    if (found.length === 0) return ok('no link and no relay of others');
    const commands = found.flatMap(({ command }) => command ?? []);
    return {
      verdict: commands.length > 0 ? 'warning' : 'ok',
      evidence: found.map(({ text }) => text),
      fix: commands.length > 0 ? [...new Set(commands)] : null,
    };
  },
};

async function inspectFolder(folder: string, scene: Scene): Promise<Leftover[]> {
  const found = await Promise.all(
    ENDPOINT_INDEXES.map(async (index) => {
      const path = endpointPath(scene.os, folder, index);
      const probe = await probeEndpoint(path, { native: scene.native });
      return (await leftoverAt(path, probe, scene)) ?? [];
    }),
  );
  return found.flat();
}

async function leftoverAt(path: string, probe: Probe, scene: Scene): Promise<Leftover | undefined> {
  switch (probe.kind) {
    case 'absent':
    // A dead socket is reported by the check of endpoints.
    case 'stale':
      return undefined;
    case 'foreign':
      return probe.what === 'symbolic link' ? linkLeftAt(path, scene) : undefined;
    case 'live':
      return relayAt(path, probe, scene);
  }
}

async function linkLeftAt(path: string, scene: Scene): Promise<Leftover | undefined> {
  const link = await linkAt(path, scene);
  if (link === undefined) return undefined;
  const { written, probe } = link;
  const text = `${path}: a link to ${written}`;
  if (probe === undefined) return { text: `${text}, ${NOT_FOLLOWED}` };
  if (probe.kind === 'live')
    return { text: `${text}, which works while its server runs, and hinders sandboxes when it ends` };
  const target = {
    absent: 'where nothing is',
    stale: 'where nobody listens',
    foreign: 'which is not a socket',
  }[probe.kind];
  return { text: `${text}, ${target}`, command: await removal(path, scene.env) };
}

async function relayAt(
  path: string,
  { owner, reason }: Extract<Probe, { kind: 'live' }>,
  scene: Scene,
): Promise<Leftover | undefined> {
  const names = [owner?.name ?? '', basename(owner?.exe ?? '')];
  if (owner === undefined || !names.some((name) => RELAYS.test(name))) return undefined;
  const text = `${path}: a relay, ${describeProgram(owner)}`;
  if (reason !== 'closed') return { text };
  const recipe = await findRecipe(path, scene.env);
  const command = recipe?.kind === 'unit' ? disabling(recipe) : `kill ${owner.pid}`;
  return { text: `${text}, which hangs up on apps: its target is away`, command };
}
