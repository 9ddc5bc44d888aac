import { spawn } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bridgeFolders } from '../platform/endpoint/endpoints.ts';
import { holderAt } from '../platform/process/pid-file.ts';
import { LocalError } from '../src/base/local-error.ts';
import { notInstalled } from './attempt.ts';
import { desktopEntry } from './desktop-entry.ts';
import { Installation } from './installation.ts';
import { logFiles, withLogFiles } from './log-files.ts';
import type {
  Installed,
  InstallOptions,
  LogSource,
  Plan,
  PlannedFile,
  ServiceContext,
  ServiceDefinition,
  ServiceManager,
  ServiceStatus,
  Uninstalled,
} from './manager.ts';

const ENTRY = 'footbridge.desktop';
/** The bridge is there within half a second, and gone within two and a half (ms). */
const PATIENCE_MS = 8000;
const LOOK_MS = 50;

/** Starts a program that outlives us; a stand-in for tests. */
export type Launcher = (
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
) => void;

/**
 * An entry in the autostart folder of the desktop session: started at login, and by nobody again. What has not started or
 * ended after `patienceMs` has failed.
 */
export function autostartManager(
  context: ServiceContext,
  launch: Launcher = launchDetached,
  patienceMs: number = PATIENCE_MS,
): ServiceManager {
  return new AutostartManager(context, launch, patienceMs);
}

class AutostartManager implements ServiceManager {
  readonly kind = 'autostart';
  readonly #context: ServiceContext;
  readonly #launch: Launcher;
  readonly #patienceMs: number;
  readonly #installation: Installation;

  constructor(context: ServiceContext, launch: Launcher, patienceMs: number) {
    this.#context = context;
    this.#installation = new Installation(this.kind, context);
    this.#launch = launch;
    this.#patienceMs = patienceMs;
  }

  plan(definition: ServiceDefinition, { start }: Pick<InstallOptions, 'start'>): Plan {
    const commands = start ? [withLogFiles(definition.argv)] : [];
    return { kind: this.kind, files: this.#files(definition), commands };
  }

  async install(definition: ServiceDefinition, options: InstallOptions): Promise<Installed> {
    const notes = ['Nothing starts it again when it ends: this system has no systemd.'];
    if (options.linger) notes.push('It ends with your session: lingering needs systemd.');
    if (options.socket)
      notes.push('The bridge holds the endpoint itself: holding it for the bridge needs systemd.');
    const before = this.#installation.receipt();
    const files = this.#files(definition);
    const changed = this.#installation.place(files, options.force);
    const command = JSON.stringify([withLogFiles(definition.argv), definition.env, definition.logFolder]);
    const updated = changed || before?.marks[0] !== command;
    this.#installation.record(definition, files, [command]);
    if (options.start) {
      if (updated) await this.stop();
      await this.start();
    }
    const argv = withLogFiles(definition.argv);
    const running = this.#pid() !== undefined;
    return this.#installation.report({ before, updated, files, argv, running, notes });
  }

  async uninstall({ force }: { readonly force: boolean }): Promise<Uninstalled> {
    return this.#installation.remove(force, async () => void (await this.stop()));
  }

  async start(): Promise<boolean> {
    const [argv, env] = this.#installed();
    if (this.#pid() !== undefined) return false;
    this.#launch(argv, { ...this.#context.env, ...env });
    if (await this.#until(() => this.#pid() !== undefined)) return true;
    throw new LocalError(
      'FOOTBRIDGE_SERVICE',
      `The bridge was started and does not run. See why with: ${argv.join(' ')}`,
    );
  }

  async stop(): Promise<boolean> {
    // The lock tells of any bridge: one that somebody runs in a terminal is not ours to end.
    if (this.#installation.receipt() === undefined) return false;
    const pid = this.#pid();
    if (pid === undefined) return false;
    process.kill(pid, 'SIGTERM');
    if (await this.#until(() => this.#pid() !== pid)) return true;
    throw new LocalError('FOOTBRIDGE_SERVICE', `The bridge (pid ${pid}) was told to end and still runs.`);
  }

  async restart(): Promise<void> {
    this.#installed();
    await this.stop();
    await this.start();
  }

  async status(): Promise<ServiceStatus> {
    if (this.#installation.receipt() === undefined) return { kind: 'absent' };
    const pid = this.#pid();
    return pid === undefined ? { kind: 'stopped' } : { kind: 'running', pid };
  }

  logs(): LogSource {
    const [, , folder] = this.#installed();
    return logFiles(folder);
  }

  #files(definition: ServiceDefinition): PlannedFile[] {
    const { env, home } = this.#context;
    const config = env['XDG_CONFIG_HOME'] ?? '';
    const folder = join(isAbsolute(config) ? config : join(home, '.config'), 'autostart');
    const content = desktopEntry({ ...definition, argv: withLogFiles(definition.argv) });
    return [{ path: join(folder, ENTRY), content, mode: 0o644 }];
  }

  /** Command, environment and log folder as they were installed. */
  #installed(): readonly [readonly [string, ...string[]], Readonly<Record<string, string>>, string] {
    const [command] = this.#installation.expect().marks;
    if (command !== undefined) return JSON.parse(command);
    throw notInstalled();
  }

  /** Whoever holds the bridge's lock; there is no manager to ask. */
  #pid(): number | undefined {
    const { env, uid } = this.#context;
    for (const folder of bridgeFolders('linux', env, uid)) {
      const pid = holderAt(join(folder, `footbridge-${uid}`, 'daemon.lock'));
      if (pid !== undefined) return pid;
    }
    return undefined;
  }

  async #until(done: () => boolean): Promise<boolean> {
    for (let waited = 0; waited < this.#patienceMs; waited += LOOK_MS) {
      if (done()) return true;
      await delay(LOOK_MS);
    }
    return false;
  }
}

function launchDetached(
  [file, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
): void {
  const child = spawn(file, args, { env, detached: true, stdio: 'ignore', cwd: '/' });
  // A program that is not there shows in that no bridge runs.
  child.on('error', () => {});
  child.unref();
}
