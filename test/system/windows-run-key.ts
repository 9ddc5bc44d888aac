// Installs and uninstalls by the Run key inside Windows, with its real registry. Arguments: a folder for the receipt, and the
// words of the program. What each step said goes to stdout as JSON.
import type { ServiceContext } from '../../service/manager.ts';
import { programRunner } from '../../service/run.ts';
import { runKeyManager } from '../../service/run-key.ts';

const [, , stateFolder = '', program = '', ...args] = process.argv;
const context: ServiceContext = {
  env: process.env,
  home: stateFolder,
  uid: undefined,
  user: 'tester',
  stateFolder,
  run: programRunner(process.env),
  bridgePid: () => Promise.resolve(undefined),
};
const definition = {
  argv: [program, ...args] as const,
  env: {},
  core: 'upstream',
  flags: {},
  version: '0.0.0',
  native: false,
  logFolder: stateFolder,
};
const options = { start: false, linger: false, socket: false, force: false };

/** Runs the steps. */
export async function drive(): Promise<void> {
  const manager = runKeyManager(context, () => Promise.resolve());
  const key = ['reg.exe', 'query', 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run'] as const;
  const steps = {
    install: (await manager.install(definition, options)).change,
    again: (await manager.install(definition, options)).change,
    status: (await manager.status()).kind,
    registered: (await context.run(key)).stdout,
    uninstall: (await manager.uninstall({ force: false })).change,
    twice: (await manager.uninstall({ force: false })).change,
    gone: (await context.run(key)).stdout,
  };
  process.stdout.write(`${JSON.stringify(steps)}\n`, () => process.exit(0));
}
