import {
  type FileNumber,
  fileNumber,
  type InsideView,
  type SeenInside,
} from '../../../../platform/endpoint/inside.ts';
import { runtimeFolders } from '../../../../platform/endpoint/search.ts';
import { statusIn } from '../../../../platform/files/held-folder.ts';
import { programOf } from '../../../../platform/process/program.ts';
import { describeSandbox } from '../../../../platform/process/sandbox.ts';
import { type RunningSandbox, sandboxedProcesses } from '../../../../platform/process/sandboxed-processes.ts';
import { systemProgram } from '../../../../platform/process/system-program.ts';
import { shellWord } from '../../../base/shell-word.ts';
import { type Check, notApplicable, type Scene, socketsOf } from '../check.ts';

/** Time limits of the scan of all processes and of the looks into their sandboxes (ms). */
const SCAN_MS = 1500;
const LOOKS_MS = 2500;
/** Number of sandboxes that are looked into at the same time. */
const BATCH = 4;

/** What an app in a sandbox sees, in one line. */
interface View {
  readonly text: string;
  readonly state: 'reaches the bridge' | 'another server' | 'dead' | 'nothing' | 'unknown';
  readonly fix?: string;
}

/** Endpoints that apps in the running sandboxes see, looked at from inside of each. */
export const sandboxes: Check = {
  id: 'sandboxes',
  title: 'What running sandboxes see',
  explanation: `
    An app in a Flatpak, a snap or a container has a root folder of its own. The check finds the running sandboxes of
    this user, and searches the endpoint in the root folder of each with the environment of a process in it, as an app
    there does. Each look is a process of its own, which is ended after 2 s, because the sandbox can keep it waiting. On
    a busy machine a look may take that long, too.

    The name of a sandbox is a proof of systemd, or of Flatpak's own folder \`.flatpak\` in the runtime folder. Without
    one the sandbox is unverified: it was made by another program, its app was started without a \`systemd --user\`, or
    the bridge has another XDG_RUNTIME_DIR than the app.

    - "sees the bridge": nothing is to do.
    - "a dead socket" or "a link without a target": a sandbox receives the socket when it starts, and keeps the old one when the bridge starts again.
      Start the app again.
    - "no endpoint": the permissions of the app or the mounts of the container do not include it. Not every app needs
      one; the line has the command for one that does.
    - "another server": a chat client or a relay serves that path for the app.

    A sandbox that none of these made, as by bwrap alone, is listed only if it has an endpoint.
    Containers of root and sandboxes of other users are not visible. A file system that belongs to a program, such as
    FUSE, is not entered.
  `,
  async inspect(scene) {
    if (scene.os !== 'linux') return notApplicable('sandboxes are looked into on Linux only');
    const first = await flatpakPids(scene);
    const runtimes = runtimeFolders(scene.os, scene.env, scene.uid);
    const { sandboxes: running, isComplete } = await sandboxedProcesses({
      timeoutMs: SCAN_MS,
      first,
      runtimes,
    });
    const { views, isAll } = await viewsOf(running, scene);
    const isAllSeen = isComplete && isAll;
    if (views.length === 0 && isAllSeen)
      return notApplicable(
        'no Flatpak, snap or container of this user runs, nor another sandbox with an endpoint',
      );
    const late = 'the time limit ended the search: more sandboxes may run';
    const fixes = [...new Set(views.flatMap(({ fix }) => fix ?? []))];
    return {
      verdict: views.some(({ state }) => state === 'dead') ? 'warning' : 'ok',
      evidence: [...views.map(({ text }) => text), ...(isAllSeen ? [] : [late])],
      fix: fixes.length > 0 ? fixes : null,
    };
  },
};

/** Pids of the running Flatpaks, as flatpak-ps(1) lists them. Empty where it is not installed. */
async function flatpakPids({ run, env }: Scene): Promise<number[]> {
  const program = systemProgram('flatpak', env);
  if (program === undefined) return [];
  const { stdout } = await run([program, 'ps', '--columns=child-pid']).catch(() => ({ stdout: '' }));
  return [...stdout.matchAll(/^\s*([1-9]\d{0,9})\s*$/gm)].map(([, pid]) => Number(pid)).slice(0, 100);
}

/** Looks into the sandboxes, a few at the same time, until the time is over. */
async function viewsOf(
  running: readonly RunningSandbox[],
  scene: Scene,
): Promise<{ readonly views: readonly View[]; readonly isAll: boolean }> {
  const end = performance.now() + LOOKS_MS;
  const own = ownSockets(scene);
  const views: View[] = [];
  for (let at = 0; at < running.length; at += BATCH) {
    if (performance.now() > end) return { views, isAll: false };
    const batch = running.slice(at, at + BATCH);
    for (const [index, view] of (await Promise.all(batch.map((one) => viewOf(one, own, scene)))).entries()) {
      // Services with a folder of their own are no sandbox of an app, and the system has many.
      if (view !== undefined && (batch[index]?.sandbox !== 'unverified' || view.state !== 'nothing'))
        views.push(view);
    }
  }
  return { views, isAll: true };
}

function ownSockets({ bridge }: Scene): FileNumber[] {
  return socketsOf(bridge).flatMap((path) => {
    const status = statusIn(path);
    return status === undefined ? [] : [fileNumber(status)];
  });
}

/** View of one sandbox; undefined for an unverified one that may not be looked into. */
async function viewOf(
  running: RunningSandbox,
  own: readonly FileNumber[],
  scene: Scene,
): Promise<View | undefined> {
  const { sandbox, pids } = running;
  const pid = appOf(pids);
  const name = `${describeSandbox(sandbox)} (pid ${pid})`;
  const view = await scene.inside(pid);
  if (view === 'no answer') return { state: 'unknown', text: `${name}: a look into it did not end in time` };
  if (view === undefined) {
    if (sandbox === 'unverified') return undefined;
    return { state: 'unknown', text: `${name}: it may not be looked into` };
  }
  const seen = allowedOf(view, sandbox);
  const ours = seen.find((one) => one.kind === 'socket' && own.includes(one.file));
  if (ours !== undefined)
    return { state: 'reaches the bridge', text: `${name}: sees the bridge at ${ours.path}` };
  const [first] = seen;
  if (first === undefined) return withoutEndpoint(name, view, running, scene);
  const live = seen.find((one) => one.kind === 'socket' && one.isLive);
  if (live !== undefined)
    return { state: 'another server', text: `${name}: sees another server at ${live.path}` };
  const what = first.kind === 'socket' ? 'a dead socket' : 'a link without a target';
  return { state: 'dead', text: `${name}: sees ${what} at ${first.path}`, fix: restart(running) };
}

/** A strict snap may use its own folder alone, although it sees more. */
function allowedOf({ seen }: InsideView, sandbox: RunningSandbox['sandbox']): readonly SeenInside[] {
  if (sandbox === 'unverified' || sandbox.kind !== 'snap') return seen;
  return seen.filter(({ path }) => path.includes(`/snap.${sandbox.id}/`));
}

function withoutEndpoint(
  name: string,
  { folders, skipped }: InsideView,
  { sandbox }: RunningSandbox,
  scene: Scene,
): View {
  const looked = folders.filter((folder) => !skipped.includes(folder));
  const text = [
    `${name}: sees no endpoint`,
    ...(looked.length > 0 ? [`in ${looked.join(', ')}`] : []),
    ...(skipped.length > 0
      ? [`not looked at, because a program serves the file system: ${skipped.join(', ')}`]
      : []),
  ].join('; ');
  if (scene.bridge.kind === 'unknown' || sandbox === 'unverified') return { state: 'nothing', text };
  return { state: 'nothing', text, fix: `if ${describeSandbox(sandbox)} needs it: ${access(sandbox)}` };
}

function access(sandbox: Exclude<RunningSandbox['sandbox'], 'unverified'>): string {
  switch (sandbox.kind) {
    case 'flatpak':
      return `flatpak override --user --filesystem=xdg-run/discord-ipc-0 ${shellWord(sandbox.id)}, then start it again`;
    case 'snap':
      return `footbridge endpoints add snap --client ${sandbox.id}`;
    case 'container':
      return 'make it again with the folder that footbridge endpoints --path prints: footbridge help sandboxes';
  }
}

function restart({ sandbox }: RunningSandbox): string {
  if (sandbox === 'unverified') return 'start the app again, so that it receives the present socket';
  return `start ${describeSandbox(sandbox)} again, so that it receives the present socket`;
}

/** The app among the processes of a sandbox: the first one that is not the program that made the sandbox. */
function appOf(pids: readonly number[]): number {
  return pids.find((pid) => (programOf(pid)?.name ?? 'bwrap') !== 'bwrap') ?? pids[0] ?? 0;
}
