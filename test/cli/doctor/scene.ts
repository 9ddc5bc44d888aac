import { loadNative } from '../../../platform/native.ts';
import { loadConfiguration } from '../../../src/cli/config/settings.ts';
import type { Attempt, Scene } from '../../../src/cli/doctor/check.ts';
import { version } from '../../../src/cli/version.ts';
import type { ControlStatus } from '../../../src/control/routes.ts';
import { temporaryFolder, uid } from '../../helpers/sockets.ts';

/** What a bridge says of itself, but for what a test gives. */
function status(changes: Partial<ControlStatus> = {}): ControlStatus {
  return {
    version: version(),
    pid: 4_000_000,
    uptime: 1,
    executable: '/usr/bin/node',
    core: { name: 'emulator', api: null, details: [] },
    notInFrontOf: [],
    endpoints: [],
    sessions: [],
    counters: {},
    rss: 1,
    fds: null,
    ...changes,
  };
}

/** A bridge whose operations answer what a test gives. */
export function running(
  changes: Partial<ControlStatus> = {},
  answers: Readonly<Record<string, unknown>> = {},
): Scene['bridge'] {
  const told = status(changes);
  return {
    kind: 'known',
    status: told,
    client: {
      status: () => Promise.resolve(told),
      operations: () => Promise.resolve([]),
      call: (operation) => Promise.resolve(answers[operation]),
    },
  };
}

/** A private machine: a fresh runtime folder, no bridge, the default configuration. */
export async function scene(changes: Partial<Scene> = {}): Promise<Scene & { readonly folder: string }> {
  const folder = temporaryFolder();
  const folders = { config: `${folder}/config`, data: `${folder}/data`, log: `${folder}/log` };
  const away: Attempt<never> = { kind: 'unknown', reason: 'No bridge runs here.' };
  return {
    folder,
    os: 'linux',
    uid,
    env: { XDG_RUNTIME_DIR: folder, HOME: folder },
    native: await loadNative(),
    configuration: { kind: 'known', value: await loadConfiguration({}, {}, folders) },
    endpoints: { kind: 'known', folder, source: 'XDG_RUNTIME_DIR' },
    bridge: away,
    folders,
    now: Date.now(),
    ...changes,
  };
}
