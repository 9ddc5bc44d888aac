import { release } from 'node:os';
import { type Check, ok } from '../check.ts';

/** Minimum of `engines` in package.json. */
const LEAST = [20, 19] as const;

/** Whether this version of Node is supported. */
export const nodeVersion: Check = {
  id: 'node',
  look: ({ os }) => judgeVersion(process.versions.node, `${process.execPath}, ${os} ${release()}`),
};

export function judgeVersion(version: string, where: string) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const evidence = `Node ${version} (${where})`;
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return ok(evidence);
  return {
    verdict: 'failed',
    evidence: [evidence],
    fix: `install Node ${LEAST.join('.')} or newer, better 22 or 24`,
  } as const;
}
