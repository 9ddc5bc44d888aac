import { placesIn } from '../../bridge-places.ts';
import { type Check, failed, ok } from '../check.ts';

/** Whether file, variables and flags form a valid configuration. */
export const configuration: Check = {
  id: 'configuration',
  title: 'Configuration',
  explanation: `
    The bridge reads its settings from flags, from variables that begin with FOOTBRIDGE_, and from a file, in this
    order. One setting that is not valid stops the start with exit code 78, so that a typing error cannot open more than
    you meant.

    The line shows the error with its place. \`footbridge config show\` prints every setting and where it comes from.
  `,
  inspect({ configuration: read, bridge }) {
    if (read.kind === 'unknown') {
      return failed('correct that; footbridge help configuration describes every key', read.reason);
    }
    const { keys, file, path } = read.value;
    const ofBridge = bridge.kind === 'known' ? placesIn(bridge.status)?.config : undefined;
    const other = ofBridge == null || ofBridge === path ? [] : [`the running bridge reads ${ofBridge}`];
    const changed = keys.filter(({ origin }) => origin.kind !== 'default').map(({ key }) => key);
    return ok(`file: ${file ?? 'none'}; not at their default: ${changed.join(', ') || 'none'}`, ...other);
  },
};
