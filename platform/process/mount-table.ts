/** Types of file systems that answer at once: the kernel itself stores their content. FUSE and network mounts may hang. */
const LOCAL_TYPES = new Set(
  'bcachefs btrfs devtmpfs erofs ext2 ext3 ext4 f2fs overlay proc ramfs rootfs squashfs sysfs tmpfs xfs zfs'.split(
    ' ',
  ),
);

/** Mounts of a process: the type of the file system by mount point. */
export type MountTable = ReadonlyMap<string, string>;

/**
 * Parses `/proc/PID/mountinfo` (proc_pid_mountinfo(5)). A later mount at the same point hides an earlier one. Lines of
 * another shape are omitted.
 */
export function parseMounts(text: string): MountTable {
  const table = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, point, type] = /^\d+ \d+ \S+ \S+ (\/\S*) .*? - (\S+) /.exec(line) ?? [];
    if (point !== undefined && type !== undefined) table.set(unescaped(point), type);
  }
  return table;
}

/**
 * Whether a look at the path cannot wait for another program, because the kernel itself stores the file system that
 * holds it. `path` is absolute and has no links.
 */
export function isLocal(mounts: MountTable, path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '');
  for (let length = parts.length; length >= 0; length--) {
    const type = mounts.get(`/${parts.slice(0, length).join('/')}`);
    if (type !== undefined) return LOCAL_TYPES.has(type);
  }
  return false;
}

/** Replaces the octal escapes of blanks, tabs, line ends and backslashes. */
function unescaped(point: string): string {
  return point.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
