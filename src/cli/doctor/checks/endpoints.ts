import { dirname } from 'node:path';
import {
  ENDPOINT_INDEXES,
  type EndpointIndex,
  endpointPath,
} from '../../../../platform/endpoint/endpoints.ts';
import { decideOn } from '../../../../platform/endpoint/obstacle.ts';
import { type Probe, probeEndpoint } from '../../../../platform/endpoint/probe.ts';
import { removeStaleEndpoint } from '../../../../platform/endpoint/remove-stale.ts';
import { bridgeFolderOf, searchFolders } from '../../../../platform/endpoint/search.ts';
import { describeProgram } from '../../../../platform/process/program.ts';
import { messageOf } from '../../../base/local-error.ts';
import { inFrontRemedy, strangerRemedy } from '../../../daemon/in-front.ts';
import {
  type Check,
  type Finding,
  isLedAway,
  LEAD_BACK,
  notApplicable,
  type Scene,
  socketsOf,
} from '../check.ts';
import { forwardAt } from '../forward-at.ts';
import { linkAt, NOT_FOLLOWED } from '../link-at.ts';
import { removal } from '../recipes.ts';

/** Result of a probe at one path that clients try. */
interface Seen {
  readonly folder: string;
  readonly index: EndpointIndex;
  readonly path: string;
  readonly probe: Probe;
  readonly state: 'ours' | 'forward' | 'foreign' | 'stale' | 'obstacle';
  readonly text: string;
}

/** Listener of each endpoint in every folder that clients search. */
export const endpoints: Check = {
  id: 'endpoints',
  title: 'Endpoints in every folder where apps look',
  explanation: `
    An endpoint has a number from 0 to 9, and most apps try 0 alone. The program that serves number 0 gets the apps. The
    check connects to each number in each folder, and shows who listens.

    - "this bridge" at number 0 is how it should be.
    - "footbridge forward" at number 0 leads the apps to a bridge elsewhere: no bridge is needed here.
    - Another program at number 0 keeps the apps to itself. Start the bridge before it, or end it.
    - A dead socket has no listener any more, and apps that find it first give up. \`footbridge doctor --fix\` removes one
      in a folder of the bridge. One in the folder of a sandbox belongs to a recipe of another program, and the line has the
      command that removes both.
    - A link or another file keeps the bridge from that number. The page \`leftovers\` explains links.
  `,
  async inspect(scene) {
    if (scene.endpoints.kind === 'unknown') return notApplicable('the runtime folder is not known');
    const { folder } = scene.endpoints;
    const folders = [...new Set([folder, ...searchFolders(scene.os, scene.env, scene.uid)])];
    const seen = (await Promise.all(folders.map((one) => inspectFolder(one, scene)))).flat();
    return findingOf(folder, seen, scene);
  },
};

async function inspectFolder(folder: string, scene: Scene): Promise<Seen[]> {
  const found = await Promise.all(
    ENDPOINT_INDEXES.map(async (index) => {
      const path = endpointPath(scene.os, folder, index);
      const probe = await probeEndpoint(path, { native: scene.native });
      return probe.kind === 'absent' || isUnreachable(probe) || isMountPoint(path, probe)
        ? []
        : [await seenAt(folder, index, path, probe, scene)];
    }),
  );
  return found.flat();
}

/** A folder that this user may not search is irrelevant to the user's apps. */
function isUnreachable(probe: Probe): boolean {
  return probe.kind === 'live' && probe.identity === undefined && probe.detail === 'EACCES';
}

/** Flatpak leaves an empty file in the folder of a sandbox, over which it mounts the socket inside. */
function isMountPoint(path: string, probe: Probe): boolean {
  return probe.kind === 'foreign' && probe.what === 'regular file' && bridgeFolderOf(path) !== dirname(path);
}

async function seenAt(
  folder: string,
  index: EndpointIndex,
  path: string,
  probe: Exclude<Probe, { kind: 'absent' }>,
  scene: Scene,
): Promise<Seen> {
  const base = { folder, index, path, probe };
  if (isOurs(path, probe, scene)) return { ...base, state: 'ours', text: 'this bridge' };
  switch (probe.kind) {
    case 'stale': {
      const owner =
        probe.uid === scene.uid ? 'a dead socket: nobody listens' : `a dead socket of uid ${probe.uid}`;
      return { ...base, state: 'stale', text: owner };
    }
    case 'foreign': {
      const text =
        probe.what === 'symbolic link' ? await linkText(path, scene) : `a ${probe.what} in its place`;
      return { ...base, state: 'obstacle', text };
    }
    case 'live': {
      const forward = forwardAt(path, probe, scene);
      const what = isLedAway(scene) ? 'a bridge or forward' : 'footbridge forward';
      if (forward !== undefined)
        return { ...base, state: 'forward', text: `${what}: ${describeProgram(forward)}` };
      const judgement = decideOn(probe, scene.uid, false);
      return { ...base, state: 'foreign', text: judgement.kind === 'blocked' ? judgement.why : 'somebody' };
    }
  }
}

/**
 * Whether the bridge listens at the path, according to the endpoints in the bridge's status and the listener's pid from
 * the kernel.
 */
function isOurs(path: string, probe: Probe, { bridge }: Scene): boolean {
  if (bridge.kind === 'unknown') return false;
  if (probe.kind === 'live' && probe.owner?.pid === bridge.status.pid) return true;
  return probe.kind === 'live' && socketsOf(bridge).includes(path);
}

/** Description of a link's direct target and its listener. */
async function linkText(path: string, scene: Scene): Promise<string> {
  const link = await linkAt(path, scene);
  if (link === undefined) return 'a link that is gone already';
  const { target, probe } = link;
  const base = `a link to ${target}`;
  switch (probe?.kind) {
    case undefined:
      return `${base}, ${NOT_FOLLOWED}`;
    case 'absent':
      return `${base}, where nothing is`;
    case 'stale':
      return `${base}, where nobody listens`;
    case 'foreign':
      return `${base}, which is a ${probe.what}`;
    case 'live':
      if (isOurs(target, probe, scene)) return `${base}, which is this bridge`;
      return `${base}, where ${probe.owner === undefined ? 'somebody' : describeProgram(probe.owner)} listens`;
  }
}

async function findingOf(folder: string, seen: readonly Seen[], scene: Scene): Promise<Finding> {
  const here = seen.filter((one) => one.folder === folder);
  const first = here.find(({ state }) => state !== 'stale');
  const mendable = seen.filter((one) => isMendable(one, scene));
  const evidence = seen.map(({ path, text }) => `${path}: ${text}`);
  const base = {
    evidence: evidence.length === 0 ? ['nothing at any index in any of the folders'] : evidence,
  };
  // Which of the programs is the bridge is not known then, and it must not be the one to end.
  if (first !== undefined && isLedAway(scene)) return { ...base, verdict: 'warning', fix: LEAD_BACK };
  if (first !== undefined && !isWanted(first, scene)) {
    return {
      ...base,
      verdict: 'warning',
      fix:
        first.state === 'obstacle'
          ? `most apps try only ${first.path}: check it, and move it away if no program needs it`
          : remedyFor(first, scene),
      ...(mendable.length === 0 ? {} : { repair: () => removeAll(mendable, scene) }),
    };
  }
  const ofRecipes = seen.filter((one) => isOwnDead(one, scene) && !mendable.includes(one));
  const commands = await Promise.all(ofRecipes.map(({ path }) => removal(path, scene.env)));
  if (mendable.length === 0)
    return {
      ...base,
      verdict: commands.length > 0 ? 'warning' : 'ok',
      fix: commands.length > 0 ? commands : null,
    };
  const fix = `remove the dead sockets: footbridge doctor --fix, or rm ${mendable.map(({ path }) => path).join(' ')}`;
  return { ...base, verdict: 'warning', fix: [fix, ...commands], repair: () => removeAll(mendable, scene) };
}

function remedyFor({ path, probe }: Seen, scene: Scene): string {
  const core = coreOf(scene);
  if (scene.bridge.kind === 'known') return inFrontRemedy(path, core);
  return strangerRemedy(path, probe.kind === 'live' && probe.reason === 'pong', core);
}

/** Whether apps that stop at this endpoint reach the bridge: the one here, or without one the one of a forward. */
function isWanted({ state }: Seen, { bridge }: Scene): boolean {
  return state === 'ours' || (state === 'forward' && bridge.kind === 'unknown');
}

function coreOf({ bridge, configuration }: Scene): string {
  if (bridge.kind === 'known') return bridge.status.core.name;
  return configuration.kind === 'known' ? configuration.value.settings.core : 'emulator';
}

/**
 * Whether `--fix` may remove the socket: it is stale, belongs to this user and is in a folder of the bridge. The
 * folders of sandboxes belong to the programs in them.
 */
function isMendable(one: Seen, scene: Scene): boolean {
  return isOwnDead(one, scene) && bridgeFolderOf(one.path) === one.folder;
}

/** Whether it is a dead socket of this user. */
function isOwnDead({ probe }: Seen, { uid }: Scene): boolean {
  return probe.kind === 'stale' && probe.uid === uid;
}

async function removeAll(dead: readonly Seen[], { os, uid, native }: Scene): Promise<string[]> {
  if (os === 'win32' || uid === undefined) return [];
  const done: string[] = [];
  for (const { folder, index, path } of dead) {
    const result = await removeStaleEndpoint({ os, folder, index, uid, native }).catch((error: unknown) => ({
      kind: 'left' as const,
      why: messageOf(error),
    }));
    done.push(result.kind === 'removed' ? `removed ${path}` : `${path} was left alone: ${result.why}`);
  }
  return done;
}
