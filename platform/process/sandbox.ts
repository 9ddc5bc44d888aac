import { existsSync } from 'node:fs';
import { flatpakByInstance } from './flatpak-instance.ts';
import { linkOf, type ReadFile, readSmall } from './proc-files.ts';
import { ancestorsOf, startTicks } from './program.ts';

/** Sandbox of a process: a Flatpak or snap with its id, or a container with its short id. */
export interface Sandbox {
  readonly kind: 'flatpak' | 'snap' | 'container';
  /** `org.videolan.VLC`, `firefox`, or the first 12 digits of a container's id. */
  readonly id: string;
}

/** Places from which proofs are read. */
export interface ProofSources {
  /** Runtime folders of this user, in each of which Flatpak keeps a folder for every running app. */
  readonly runtimes: readonly string[];
  /** Folder of proc(5); tests pass another one. */
  readonly proc?: string;
  /** Folder that exists only where systemd manages the control groups (sd_booted(3)); tests pass another one. */
  readonly systemd?: string;
}

/**
 * Returns the sandbox of a process. Undefined for a process outside of any sandbox, which has the mount namespace of
 * this process or of an ancestor of it. `unverified` for a process in another mount namespace without a proof, and
 * where the kernel does not show the process, such as without proc(5). Blocks for a fraction of a millisecond.
 *
 * A proof is a fact that no sandboxed program can make. Its ancestors are none, because the service manager adopts
 * orphans; what is in its root folder is none, because it can mount anything in a namespace of its own. Besides, a look
 * there may wait for a file system that the program serves, so nothing here looks there.
 */
export function sandboxOf(pid: number, sources: ProofSources): Sandbox | 'unverified' | undefined {
  const { proc = '/proc' } = sources;
  const started = startTicks(pid, proc);
  if (started === undefined) return 'unverified';
  const found = isOutside(pid, proc) ? undefined : (proofOf(pid, sources, proc) ?? 'unverified');
  // Another process may have received the pid meanwhile.
  return startTicks(pid, proc) === started ? found : 'unverified';
}

/** One phrase for messages: `Flatpak org.videolan.VLC`, or `an unverified sandbox`. */
export function describeSandbox(sandbox: Sandbox | 'unverified'): string {
  if (sandbox === 'unverified') return 'an unverified sandbox';
  return `${KIND_NAMES[sandbox.kind]} ${sandbox.id}`;
}

const KIND_NAMES = { flatpak: 'Flatpak', snap: 'snap', container: 'container' } as const;

function isOutside(pid: number, proc: string): boolean {
  const namespace = linkOf(`${proc}/${pid}/ns/mnt`);
  if (namespace === undefined) return false;
  if (namespace === linkOf(`${proc}/self/ns/mnt`)) return true;
  return ancestorsOf(process.pid, proc).some((one) => linkOf(`${proc}/${one}/ns/mnt`) === namespace);
}

function proofOf(pid: number, sources: ProofSources, proc: string): Sandbox | undefined {
  const unit = sandboxByUnit(pid, sources);
  if (unit !== undefined) return unit;
  const id = flatpakByInstance(pid, sources.runtimes, proc);
  return id === undefined ? undefined : { kind: 'flatpak', id };
}

/**
 * The sandbox by the systemd unit in which the process was started. A sandboxed program can make control groups only
 * below that of its own unit, so only the outermost unit counts, and only where systemd manages the groups: elsewhere
 * programs may be in the root group, below which they may make any name.
 */
function sandboxByUnit(
  pid: number,
  { proc = '/proc', systemd = '/run/systemd/system' }: ProofSources,
): Sandbox | undefined {
  const unit = unitIn(readSmall(`${proc}/${pid}/cgroup`));
  if (unit === undefined || !existsSync(systemd)) return undefined;
  for (const [kind, pattern] of UNITS) {
    const id = pattern.exec(unit)?.[1];
    if (id !== undefined) return { kind, id: kind === 'container' ? id.slice(0, 12) : unescaped(id) };
  }
  return undefined;
}

/** Names of units of apps: those that Flatpak, snapd and container engines request from systemd. */
const UNITS: readonly (readonly [Sandbox['kind'], RegExp])[] = [
  ['flatpak', /^app-flatpak-([A-Za-z_](?:[\w.-]|\\x2d){0,254})-\d+\.scope$/],
  ['snap', /^snap\.([a-z0-9][a-z0-9-]{0,39}(?:_[a-z0-9]{1,10})?)\.\S+\.(?:scope|service)$/],
  ['container', /^(?:docker|libpod|cri-containerd|crio)-([0-9a-f]{64})\.scope$/],
];

/**
 * Returns the outermost unit of `/proc/PID/cgroup`: the first group that is no slice, in the hierarchy of systemd. The
 * manager of a user is a unit too, and the units in it are its own.
 */
function unitIn(groups: ReadFile | undefined): string | undefined {
  const paths = groups?.text ?? '';
  const path = (/^\d+:name=systemd:(\/.*)$/m.exec(paths) ?? /^0::(\/.*)$/m.exec(paths))?.[1] ?? '';
  return /^(?:\/[^/]+\.slice)+(?:\/user@\d+\.service(?:\/[^/]+\.slice)*)?\/([^/]+)/.exec(path)?.[1];
}

/** Replaces the escapes of hyphens in names of units. */
function unescaped(id: string): string {
  return id.replaceAll('\\x2d', '-');
}
