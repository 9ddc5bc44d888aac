import { join } from 'node:path';
import { bridgeFolders } from '../platform/endpoint/search.ts';
import { holderAt } from '../platform/process/pid-file.ts';
import { LocalError } from '../src/base/local-error.ts';
import { notInstalled } from './attempt.ts';
import { BaseManager, type Placed } from './base-manager.ts';
import { desktopEntry } from './desktop-entry.ts';
import { type Launcher, launchDetached } from './launch.ts';
import { logFiles } from './log-files.ts';
import type {
  Command,
  InstallOptions,
  LogSource,
  PlannedFile,
  ServiceContext,
  ServiceDefinition,
  ServiceManager,
  ServiceStatus,
} from './manager.ts';

const ENTRY = 'footbridge.desktop';
/** Time limit of a start or a stop (ms). The bridge starts within half a second, and ends within two and a half. */
const TIMEOUT_MS = 8000;
const POLL_MS = 50;

/**
 * Manager for an entry in the autostart folder of the desktop session, which is started at login and never restarted. A
 * start or a stop that takes longer than `timeoutMs` counts as failed.
 */
export function autostartManager(
  context: ServiceContext,
  launch: Launcher = launchDetached,
  timeoutMs: number = TIMEOUT_MS,
): ServiceManager {
  return new AutostartManager(context, launch, timeoutMs);
}

class AutostartManager extends BaseManager {
  readonly #launch: Launcher;
  readonly #timeoutMs: number;

  constructor(context: ServiceContext, launch: Launcher, timeoutMs: number) {
    super('autostart', context);
    this.#launch = launch;
    this.#timeoutMs = timeoutMs;
  }

  protected commands(definition: ServiceDefinition, { start }: InstallOptions): Command[] {
    return start ? [this.argv(definition)] : [];
  }

  protected override files(definition: ServiceDefinition): PlannedFile[] {
    const content = desktopEntry({ ...definition, argv: this.argv(definition) });
    return [{ path: join(this.configFolder('autostart'), ENTRY), content, mode: 0o644 }];
  }

  protected override notes({ linger, socket }: InstallOptions): string[] {
    return [
      'Nothing starts it again when it ends: this system has no systemd.',
      ...(linger ? ['It ends with your session: lingering needs systemd.'] : []),
      ...(socket ? ['The bridge holds the endpoint itself: holding it for the bridge needs systemd.'] : []),
    ];
  }

  protected async register({ definition, before, changed, record }: Placed): Promise<boolean> {
    const command = JSON.stringify([this.argv(definition), definition.env, definition.logFolder]);
    record([command]);
    return changed || before?.marks[0] !== command;
  }

  protected unregister(): Promise<void> {
    return this.end();
  }

  protected async bringUp(): Promise<void> {
    const [argv, env] = this.#command();
    if (this.#pid() !== undefined) return;
    this.#launch(argv, { ...this.context.env, ...env });
    if (await this.#until(() => this.#pid() !== undefined)) return;
    throw new LocalError(
      'FOOTBRIDGE_SERVICE',
      `The bridge was started and does not run. See why with: ${argv.join(' ')}`,
    );
  }

  protected async end(): Promise<void> {
    const pid = this.#pid();
    if (pid === undefined) return;
    process.kill(pid, 'SIGTERM');
    if (await this.#until(() => this.#pid() !== pid)) return;
    throw new LocalError('FOOTBRIDGE_SERVICE', `The bridge (pid ${pid}) was told to end and still runs.`);
  }

  /**
   * Returns the status from the bridge's lock. Any running bridge holds the lock, even one that the user started in a
   * terminal. It is controlled only if this manager has an installation.
   */
  protected async queryStatus(): Promise<ServiceStatus> {
    const pid = this.#pid();
    return pid === undefined ? { kind: 'stopped' } : { kind: 'running', pid };
  }

  override logs(): LogSource {
    const [, , folder] = this.#command();
    return logFiles(folder);
  }

  /** Command, environment and log folder of the installation. */
  #command(): readonly [Command, Readonly<Record<string, string>>, string] {
    const [command] = this.receipt()?.marks ?? [];
    if (command !== undefined) return JSON.parse(command);
    throw notInstalled();
  }

  /** Returns the pid of the process that holds the bridge's lock, because there is no manager to query. */
  #pid(): number | undefined {
    const { env, uid } = this.context;
    for (const folder of bridgeFolders('linux', env, uid)) {
      const pid = holderAt(join(folder, `footbridge-${uid}`, 'daemon.lock'));
      if (pid !== undefined) return pid;
    }
    return undefined;
  }

  #until(done: () => boolean): Promise<boolean> {
    return this.until(done, this.#timeoutMs / POLL_MS, POLL_MS);
  }
}
