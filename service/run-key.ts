import { HIGH_INTEGRITY, ownIntegrity } from '../platform/process/integrity.ts';
import { isAlive } from '../platform/process/program.ts';
import { LocalError } from '../src/base/local-error.ts';
import { BaseManager, type Placed } from './base-manager.ts';
import { type Launcher, launchDetached } from './launch.ts';
import type {
  Command,
  Installed,
  InstallOptions,
  ServiceContext,
  ServiceDefinition,
  ServiceManager,
  ServiceStatus,
} from './manager.ts';
import { commandLine, withoutWindow } from './windows-command-line.ts';

const KEY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run';
const VALUE = 'Footbridge';
/** Maximum length of a command in the `Run` key; Explorer reads no longer one. */
const MAX_COMMAND = 260;
const NOT_ELEVATED =
  'This program runs as administrator, and the service never does: apps that run as usual could not connect to it.';
const STOP_ATTEMPTS = 30;
const STOP_STEP_MS = 100;

/**
 * Manager for the user's `Run` key, from which Explorer starts the bridge at logon, without supervision. It is the
 * fallback when a policy blocks the Task Scheduler. A program that runs as administrator does not start it, because the
 * bridge would inherit those rights.
 */
export function runKeyManager(
  context: ServiceContext,
  sleep: (ms: number) => Promise<unknown>,
  launch: Launcher = launchDetached,
): ServiceManager {
  return new RunKey(context, sleep, launch);
}

class RunKey extends BaseManager {
  readonly #launch: Launcher;

  constructor(context: ServiceContext, sleep: (ms: number) => Promise<unknown>, launch: Launcher) {
    super('run-key', context, sleep);
    this.#launch = launch;
  }

  protected override argv(definition: ServiceDefinition): Command {
    const root = this.context.env['SystemRoot'] ?? 'C:\\Windows';
    return withoutWindow(super.argv(definition), root);
  }

  protected commands(definition: ServiceDefinition, { start }: InstallOptions): Command[] {
    const argv = this.#checked(definition);
    return [add(argv), ...(start ? [argv] : [])];
  }

  protected override notes(): string[] {
    return ['It is started when you log on and is not started again when it ends: nobody watches a Run key.'];
  }

  override async install(definition: ServiceDefinition, options: InstallOptions): Promise<Installed> {
    if (!(options.start && (await this.#isElevated()))) return super.install(definition, options);
    const installed = await super.install(definition, { ...options, start: false });
    const todo = 'It starts when you log on; to start it now, run footbridge restart in a usual terminal.';
    return { ...installed, notes: [...installed.notes, `${NOT_ELEVATED} ${todo}`] };
  }

  protected async register({ definition, before, record }: Placed): Promise<boolean> {
    const argv = this.#checked(definition);
    const marks = [definition.logFolder, ...argv];
    const isThere = before?.marks.join('\0') === marks.join('\0') && (await this.#isThere());
    if (!isThere) await this.expect(add(argv));
    record(marks);
    return !isThere;
  }

  protected async unregister(): Promise<void> {
    await this.end();
    if (await this.#isThere()) await this.expect(['reg.exe', 'delete', KEY, '/v', VALUE, '/f']);
  }

  protected async bringUp(): Promise<void> {
    const [, program, ...args] = this.receipt()?.marks ?? [];
    if ((await this.#pid()) !== undefined || program === undefined) return;
    await this.#refuseElevated();
    this.#launch([program, ...args]);
  }

  protected override async bringUpAgain(): Promise<void> {
    await this.#refuseElevated();
    await super.bringUpAgain();
  }

  protected async end(): Promise<void> {
    const pid = await this.#pid();
    if (pid === undefined) return;
    // A process without a console cannot receive a signal, so it is killed. The bridge stores no data that this could
    // damage.
    await this.expect(['taskkill.exe', '/PID', String(pid), '/F']);
    await this.until(() => !isAlive(pid), STOP_ATTEMPTS, STOP_STEP_MS);
  }

  protected async queryStatus(): Promise<ServiceStatus> {
    const pid = await this.#pid();
    if (pid !== undefined) return { kind: 'running', pid };
    if (await this.#isThere())
      return { kind: 'stopped', reason: 'nobody starts it again before the next logon' };
    return { kind: 'unknown', reason: `the value ${VALUE} is gone from the Run key` };
  }

  /** A bridge that was just started does not answer yet, so it counts as running. */
  protected override async runs(started: boolean): Promise<boolean> {
    return started || (await this.#pid()) !== undefined;
  }

  async #refuseElevated(): Promise<void> {
    if (!(await this.#isElevated())) return;
    throw new LocalError(
      'FOOTBRIDGE_SERVICE',
      `${NOT_ELEVATED} Run this command in a terminal that was opened without "Run as administrator".`,
    );
  }

  /** False also when the level cannot be measured. */
  async #isElevated(): Promise<boolean> {
    const { run, env } = this.context;
    return ((await ownIntegrity(run, env)) ?? 0) >= HIGH_INTEGRITY;
  }

  #checked(definition: ServiceDefinition): Command {
    const argv = this.argv(definition);
    const { length } = commandLine(argv);
    if (length <= MAX_COMMAND) return argv;
    throw new LocalError(
      'FOOTBRIDGE_SERVICE',
      `The command line for the Run key has ${length} characters and Windows reads at most ${MAX_COMMAND}. ` +
        'Install Footbridge in a folder with a shorter name.',
    );
  }

  /** Returns the pid that the bridge itself reports, because a `Run` key knows no process. */
  async #pid(): Promise<number | undefined> {
    return this.context.bridgePid?.();
  }

  async #isThere(): Promise<boolean> {
    return (await this.run(['reg.exe', 'query', KEY, '/v', VALUE])).code === 0;
  }
}

function add(argv: readonly string[]): Command {
  return ['reg.exe', 'add', KEY, '/v', VALUE, '/t', 'REG_SZ', '/d', commandLine(argv), '/f'];
}
