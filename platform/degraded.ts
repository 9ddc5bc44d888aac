const WEAKER: { readonly [os: string]: readonly string[] } = {
  linux: [
    'nobody asks the kernel who connects: only a runtime folder of mode 0700 is served',
    'locks are files with a process id, which a killed bridge leaves behind',
    'whose program connects to a port of 127.0.0.1 is read from /proc/net/tcp, which takes longer the more connections there are',
    'a bridge that is stopped while a file hangs ends by the signal, not with exit code 0',
    'core dumps and the memory of the bridge are not closed to other programs of yours',
    'a systemd service is of Type=exec: it counts as started before it listens',
  ],
  darwin: [
    'nobody asks the kernel who connects: only a runtime folder of mode 0700 is served',
    'locks are files with a process id, which a killed bridge leaves behind',
  ],
};

/**
 * Returns lines that describe how checks on that system are weaker without the native calls. On Windows there are no
 * lines, because it has none of these calls.
 */
export function degradedWithoutNative(os: string): readonly string[] {
  return WEAKER[os] ?? [];
}
