import { type Check, notApplicable, warning } from '../check.ts';

/** Running core, and whether a chat client is behind it. */
export const core: Check = {
  id: 'core',
  title: 'Client core',
  explanation: `
    The core answers what apps ask: the emulator by itself, \`upstream\` through chat clients with their own sockets,
    \`attach\` through one that connects to the bridge. A warning means that no chat client is behind the core, so apps
    connect and get no answer, or one of the fallback.

    Start the chat client, or choose another core with \`core\` in the configuration.
  `,
  inspect({ bridge, configuration }) {
    if (bridge.kind === 'unknown') {
      const name = configuration.kind === 'known' ? configuration.value.settings.core : 'unknown';
      return notApplicable(`no bridge runs; the configuration names the core "${name}"`);
    }
    const { status, reach } = bridge;
    const details = status.core.details.map(([label, value]) => `${label}: ${value}`);
    if (reach === undefined) {
      const evidence = [`${status.core.name}: it did not report its chat client`, ...details];
      return warning(null, ...evidence);
    }
    return {
      verdict: reach.behind === false ? 'warning' : 'ok',
      evidence: [`${status.core.name}: ${reach.text}`, ...details],
      fix: reach.remedy,
    };
  },
};
