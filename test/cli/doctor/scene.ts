import { viewInside } from '../../../platform/endpoint/inside.ts';
import { loadNative } from '../../../platform/native/native.ts';
import type { Attempt, Scene } from '../../../src/cli/doctor/check.ts';
import type { ControlStatus } from '../../../src/control/routes.ts';
import { loadConfiguration } from '../../../src/daemon/config/settings.ts';
import { version } from '../../../src/daemon/version.ts';
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
    places: { config: null, data: null, log: null },
    unstored: [],
    weaker: [],
    endpoints: [],
    further: [],
    forwards: [],
    sessions: [],
    refused: [],
    journal: null,
    counters: {},
    rss: 1,
    fds: null,
    ...changes,
  };
}

/** A bridge that runs; `behind` says whether somebody stands behind its core, if it does. */
export function running(
  changes: Partial<ControlStatus> = {},
  behind: boolean | null | 'unsaid' = true,
): Scene['bridge'] {
  const told = status(changes);
  const reach =
    behind === 'unsaid'
      ? undefined
      : {
          core: told.core.name,
          behind,
          served: behind !== false,
          text: 'as it said',
          remedy: behind === false ? 'start it' : null,
        };
  return { kind: 'known', status: told, reach };
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
    service: away,
    folders,
    run: async () => ({ code: 9009, stdout: '', stderr: 'no such program' }),
    // In the same process, because the tests do not run the program.
    inside: (pid) => viewInside(pid, uid),
    now: Date.now(),
    ...changes,
  };
}
