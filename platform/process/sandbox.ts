import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { isLocal, parseMounts } from './mount-table.ts';
import { ancestorsOf, startTicks } from './program.ts';

/** Sandbox of a process as the kernel proves it: a Flatpak or snap with its id, or a container with its short id. */
export interface Sandbox {
  readonly kind: 'flatpak' | 'snap' | 'container';
  /** `org.videolan.VLC`, `firefox`, or the first 12 digits of a container's id. */
  readonly id: string;
}

/** Maximum size of each file that is read (bytes); a longer one proves nothing. */
const MAX_BYTES = 256 * 1024;

/**
 * Returns the sandbox of a process. Undefined for a process outside of any sandbox, which has the mount namespace of
 * this process or of an ancestor of it. `unverified` for a process in another mount namespace without a proof, and
 * where the kernel does not show the process, such as without proc(5). Blocks for a fraction of a millisecond.
 *
 * A sandbox inside of another one proves nothing, because a sandboxed program may start it with any content. So the
 * proof is read from the outermost ancestor with another mount namespace.
 */
export function sandboxOf(pid: number, proc = '/proc'): Sandbox | 'unverified' | undefined {
  const started = startTicks(pid, proc);
  if (started === undefined) return 'unverified';
  const ancestors = ancestorsOf(pid, proc);
  const found = identify(pid, ancestors, proc);
  // Another process may have received the pid meanwhile, and the end of an ancestor hides those above it.
  const isSame = startTicks(pid, proc) === started && String(ancestorsOf(pid, proc)) === String(ancestors);
  return isSame ? found : 'unverified';
}

/** One phrase for messages: `Flatpak org.videolan.VLC`, or `an unverified sandbox`. */
export function describeSandbox(sandbox: Sandbox | 'unverified'): string {
  if (sandbox === 'unverified') return 'an unverified sandbox';
  return `${KIND_NAMES[sandbox.kind]} ${sandbox.id}`;
}

const KIND_NAMES = { flatpak: 'Flatpak', snap: 'snap', container: 'container' } as const;

function identify(
  pid: number,
  ancestors: readonly number[],
  proc: string,
): Sandbox | 'unverified' | undefined {
  const own = linkOf(`${proc}/self/ns/mnt`);
  const namespace = linkOf(`${proc}/${pid}/ns/mnt`);
  if (own === undefined || namespace === undefined) return 'unverified';
  const outside = new Set([
    own,
    ...ancestorsOf(process.pid, proc).map((one) => linkOf(`${proc}/${one}/ns/mnt`)),
  ]);
  if (outside.has(namespace)) return undefined;

  let outermost = pid;
  for (const ancestor of ancestors) {
    const above = linkOf(`${proc}/${ancestor}/ns/mnt`);
    if (above !== undefined && outside.has(above)) break;
    if (above !== undefined) outermost = ancestor;
    // A program can hide its namespaces, but not that it has a PID namespace of its own. Outside of sandboxes only
    // processes of other users are hidden, such as the init process of the machine.
    else if (hasOwnPidNamespace(`${proc}/${ancestor}`)) return 'unverified';
  }
  const folder = `${proc}/${outermost}`;
  return (
    snapByLabel(folder) ??
    containerByGroup(folder) ??
    flatpakByInfo(folder, proc) ??
    snapByGroup(folder) ??
    'unverified'
  );
}

/** A snap's AppArmor label, `snap.NAME.APP (enforce)`, which a confined program cannot change. */
function snapByLabel(folder: string): Sandbox | undefined {
  const label = readSmall(`${folder}/attr/apparmor/current`) ?? readSmall(`${folder}/attr/current`) ?? '';
  return snapNamed(/^snap\.([^.\s]+)\.\S+ \(enforce\)\s*$/.exec(label)?.[1]);
}

/** A control group of a snap's program: `/…/snap.NAME.APP-UUID.scope`, or `/snap.NAME` in version 1. */
function snapByGroup(folder: string): Sandbox | undefined {
  return snapNamed(/\/snap\.([^./\s]+)(?:\.[^/\s]+)?(?:\/|$)/m.exec(groupsOf(folder))?.[1]);
}

/** Names of snaps consist of these characters; an instance has a key after `_`. */
function snapNamed(name: string | undefined): Sandbox | undefined {
  return name !== undefined && /^[a-z0-9][a-z0-9-]{0,39}(?:_[a-z0-9]{1,10})?$/.test(name)
    ? { kind: 'snap', id: name }
    : undefined;
}

/**
 * A control group of a container: 64 hexadecimal digits, alone or in the name of a scope (`docker-ID.scope`,
 * `libpod-ID.scope`, `cri-containerd-ID.scope`).
 */
function containerByGroup(folder: string): Sandbox | undefined {
  const [, id] =
    /\/(?:(?:docker|libpod|cri-containerd|crio)-)?([0-9a-f]{64})(?:\.scope)?(?:\/|$)/m.exec(
      groupsOf(folder),
    ) ?? [];
  return id === undefined ? undefined : { kind: 'container', id: id.slice(0, 12) };
}

function groupsOf(folder: string): string {
  return readSmall(`${folder}/cgroup`) ?? '';
}

/**
 * The file `.flatpak-info` in the root folder of a Flatpak, with the id in `[Application] name`. Only a read-only mount
 * in a PID namespace other than ours counts: a program in another kind of sandbox can create the file, but not the
 * mount. A file system that another program serves is not read, because the read could wait for ever.
 */
function flatpakByInfo(folder: string, proc: string): Sandbox | undefined {
  const ids = linkOf(`${folder}/ns/pid`);
  if (ids === undefined || ids === linkOf(`${proc}/self/ns/pid`)) return undefined;
  const mounts = readSmall(`${folder}/mountinfo`) ?? '';
  // proc_pid_mountinfo(5): id, parent, device, root, mount point, options.
  if (!/^\d+ \d+ \S+ \S+ \/\.flatpak-info ro(?:,|\s)/m.test(mounts)) return undefined;
  const table = parseMounts(mounts);
  if (!isLocal(table, '/') || !isLocal(table, '/.flatpak-info')) return undefined;
  const info = readSmall(`${folder}/root/.flatpak-info`) ?? '';
  const [, group = ''] = /^\[Application\]\n((?:(?!\[).*\n?)*)/m.exec(info) ?? [];
  const [, id] = /^name=([A-Za-z_][\w.-]{0,254})$/m.exec(group) ?? [];
  return id === undefined ? undefined : { kind: 'flatpak', id };
}

/** Whether a process has a pid in more PID namespaces than that of this process (proc_pid_status(5), `NSpid`). */
function hasOwnPidNamespace(folder: string): boolean {
  return /^NSpid:\t\d+\t/m.test(readSmall(`${folder}/status`) ?? '');
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Reads a regular file without waiting and without following a link at its end, which a sandboxed program could point
 * at a file outside. Undefined for another kind of file and for one above {@link MAX_BYTES}.
 */
function readSmall(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    if (!fstatSync(fd).isFile()) return undefined;
    return readAll(fd);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function readAll(fd: number): string | undefined {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(4096);
    const read = readSync(fd, chunk, 0, chunk.length, null);
    if (read === 0) return Buffer.concat(chunks).toString('latin1');
    size += read;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk.subarray(0, read));
  }
}
