import { type Check, notApplicable } from '../check.ts';

/** Which core answers, and whether a client stands behind it. */
export const core: Check = {
  id: 'core',
  look({ bridge, configuration }) {
    if (bridge.kind === 'unknown') {
      const name = configuration.kind === 'known' ? configuration.value.settings.core : 'unknown';
      return notApplicable(`no bridge runs; the configuration names the core "${name}"`);
    }
    const { status, reach } = bridge;
    const { behind, text } = reach ?? { behind: null, text: 'it did not say who stands behind it' };
    const details = status.core.details.map(([label, value]) => `${label}: ${value}`);
    return {
      verdict: behind === false || reach === undefined ? 'warning' : 'ok',
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
