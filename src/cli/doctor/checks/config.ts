import { type Check, ok } from '../check.ts';

/** Whether file, variables and flags form a valid configuration. */
export const configuration: Check = {
  id: 'configuration',
  inspect({ configuration: read }) {
    if (read.kind === 'unknown') {
      return {
        verdict: 'failed',
        evidence: [read.reason],
        fix: 'correct that; footbridge config show prints every key and where it comes from',
      };
    }
    const { keys, file } = read.value;
    const changed = keys.filter(({ origin }) => origin.kind !== 'default').map(({ key }) => key);
    return ok(`file: ${file ?? 'none'}; not at their default: ${changed.join(', ') || 'none'}`);
  },
};
