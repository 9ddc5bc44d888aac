import { coreReach } from '../../core-reach.ts';
import { type Check, notApplicable } from '../check.ts';

/** Which core answers, and whether a client stands behind it. */
export const core: Check = {
  id: 'core',
  async look({ bridge, configuration }) {
    if (bridge.kind === 'unknown') {
      const name = configuration.kind === 'known' ? configuration.value.settings.core : 'unknown';
      return notApplicable(`no bridge runs; the configuration names the core "${name}"`);
    }
    const { status, client } = bridge;
    const { behind, text } = await coreReach(client, status.core.name);
    const details = status.core.details.map(([label, value]) => `${label}: ${value}`);
    return {
      verdict: behind === false ? 'warning' : 'ok',
      evidence: [`${status.core.name}: ${text}`, ...details],
      fix: behind === false ? fixFor(status.core.name) : null,
    };
  },
};

function fixFor(name: string): string {
  return name === 'attach'
    ? 'pair and attach a chat client: footbridge attach'
    : 'start the chat client after the bridge, or run the bridge with --fallback emulator';
}
