import { release } from 'node:os';
import { type Check, failed, ok } from '../check.ts';

/** Minimum of `engines` in package.json. */
const MIN_VERSION = [20, 19] as const;

/** Whether this version of Node is supported. */
export const nodeVersion: Check = {
  id: 'node',
  title: 'Version of Node',
  explanation: `
    The bridge needs Node 20.19 or newer. An older version lacks calls that the bridge uses, and fails later with
    messages that do not name the cause.

    The line shows the version and the program that runs this command. The service may run another Node: compare with
    the executable that \`footbridge status\` prints, and run \`footbridge install\` again after you changed it.
  `,
  inspect: ({ os }) => checkVersion(process.versions.node, `${process.execPath}, ${os} ${release()}`),
};

export function checkVersion(version: string, where: string) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const evidence = `Node ${version} (${where})`;
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return ok(evidence);
  return failed(`install Node ${MIN_VERSION.join('.')} or newer, better 22 or 24`, evidence);
}
