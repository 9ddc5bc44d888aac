import type { CliCommand } from './command.ts';

const attached = () => import('./commands/attach.ts');
const consent = () => import('./commands/consent.ts');
const environment = () => import('./commands/env.ts');
const recorded = () => import('./commands/record.ts');
const service = () => import('./commands/service.ts');

/**
 * Commands that do not change the emulator's state, by their first word and in the order of the help. A command line
 * loads only the commands that begin with its first word.
 */
export const bridgeCommands: Readonly<Record<string, () => Promise<readonly CliCommand[]>>> = {
  run: async () => [(await import('./commands/run.ts')).run],
  status: async () => [(await import('./commands/status.ts')).status],
  doctor: async () => [(await import('./commands/doctor.ts')).doctor],
  bugreport: async () => [(await import('./commands/bugreport.ts')).bugreport],
  console: async () => [(await import('./commands/console.ts')).console],
  voice: async () => (await import('./commands/voice.ts')).voiceCommands,
  install: async () => [(await service()).install],
  uninstall: async () => [(await service()).uninstall],
  start: async () => [(await service()).start],
  stop: async () => [(await service()).stop],
  restart: async () => [(await service()).restart],
  logs: async () => [(await service()).logs],
  requests: async () => [(await consent()).requests],
  approve: async () => [(await consent()).approve],
  deny: async () => [(await consent()).deny],
  grants: async () => [(await consent()).grants],
  revoke: async () => [(await consent()).revoke],
  attach: async () => [(await attached()).attach],
  attached: async () => [(await attached()).attached],
  detach: async () => [(await attached()).detach],
  async upstream() {
    const { upstreamAll, upstreamList, upstreamOnly, upstreamPrimary } = await import(
      './commands/upstream.ts'
    );
    return [upstreamList, upstreamPrimary, upstreamOnly, upstreamAll];
  },
  forward: async () => [(await import('./commands/forward.ts')).forward],
  token: async () => [(await import('./commands/token.ts')).token],
  call: async () => [(await import('./commands/call.ts')).call],
  watch: async () => [(await import('./commands/watch.ts')).watch],
  journal: async () => [(await import('./commands/journal.ts')).journal],
  emulate: async () => [(await import('./commands/emulate.ts')).emulate],
  env: async () => [(await environment()).env],
  exec: async () => [(await environment()).exec],
  record: async () => [(await recorded()).record],
  replay: async () => [(await recorded()).replay],
  async origins() {
    const { originsAdd, originsList, originsRemove } = await import('./commands/origins.ts');
    return [originsList, originsAdd, originsRemove];
  },
  async endpoints() {
    const { endpointsAdd, endpointsList, endpointsRemove } = await import('./commands/endpoints.ts');
    return [endpointsList, endpointsAdd, endpointsRemove];
  },
  async presence() {
    const commands = await import('./commands/presence.ts');
    return [
      commands.presenceList,
      commands.presenceTest,
      commands.presenceSet,
      commands.presenceClear,
      commands.presenceHide,
      commands.presenceShow,
      commands.presencePrefer,
      commands.presenceReload,
      commands.presencePause,
      commands.presenceResume,
    ];
  },
  help: async () => [(await import('./commands/help.ts')).help],
  config: async () => [(await import('./commands/config.ts')).configShow],
  schema: async () => [(await import('./commands/schema.ts')).schema],
  conformance: async () => [(await import('./commands/conformance.ts')).conformance],
  async completion() {
    const { completion, completionIds } = await import('./commands/completion.ts');
    return [completion, completionIds];
  },
};

/** Loads all of them. */
export async function allBridgeCommands(): Promise<readonly CliCommand[]> {
  return (await Promise.all(Object.values(bridgeCommands).map((load) => load()))).flat();
}
