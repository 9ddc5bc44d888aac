// @ts-check

/**
 * Ends the process with one line where Node is older than `required`, such as `20.19`. It stands first in the program, where an
 * old Node would stop at the first call that it does not know; so nothing here may need more than Node 12 has.
 * @param {string} required
 */
export function refuseOldNode(required) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needsMajor = 0, needsMinor = 0] = required.split('.').map(Number);
  if (major > needsMajor || (major === needsMajor && minor >= needsMinor)) return;
  process.stderr.write(
    `footbridge: Node ${required} or newer is needed, and this is ${process.versions.node} (${process.execPath}).\n`,
  );
  // What the command needs is not installed.
  process.exit(69);
}

/**
 * The lowest version of a range such as `>=20.19`.
 * @param {string} range
 */
export function lowestOf(range) {
  return range.replace(/^>=\s*/, '');
}
