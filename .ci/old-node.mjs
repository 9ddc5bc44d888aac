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
 * Throws in a Node that is too old for a module: it lacks a function that came with Node 20.16. It stands first in each file of
 * a library, for whichever Node evaluates first; a library does not end the program.
 * @param {string} required
 */
export function throwInOldNode(required) {
  // A page has none.
  const host = globalThis.process;
  const version = host?.versions?.node;
  if (version === undefined || Reflect.has(host, 'getBuiltinModule')) return;
  throw new Error(`Footbridge needs Node ${required} or newer, and this is ${version} (${host.execPath}).`);
}
