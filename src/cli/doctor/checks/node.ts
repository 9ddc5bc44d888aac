import { release } from 'node:os';
import { type Check, ok } from '../check.ts';

/** `engines` of package.json. */
const LEAST = [20, 19] as const;

/** Whether this Node is one we run on. */
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
