import { spawn } from 'node:child_process';
import { isAlive } from '../platform/process/program.ts';
import { LocalError } from '../src/base/local-error.ts';
import { attempt, refusal } from './attempt.ts';
import { Installation } from './installation.ts';
import { logFiles, withLogFiles } from './log-files.ts';
import type {
  Installed,
  InstallOptions,
  LogSource,
  Plan,
  Ran,
  ServiceContext,
  ServiceDefinition,
  ServiceManager,
  ServiceStatus,
  Uninstalled,
} from './manager.ts';
import { commandLine, withoutWindow } from './windows-words.ts';

const KEY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run';
const VALUE = 'Footbridge';
/** Explorer reads no longer value. */
const MAX_COMMAND = 260;
const STOP_ATTEMPTS = 30;
const STOP_STEP_MS = 100;

type Command = readonly [string, ...string[]];

/** How programs are started that outlive the command; for tests. */
export type Launcher = (argv: readonly [string, ...string[]]) => void;

/**
 * The user's `Run` key: Explorer starts the bridge at logon, and nobody watches it. The way where the Task Scheduler is
 * closed by a policy.
 */
export function runKeyManager(
  context: ServiceContext,
  sleep: (ms: number) => Promise<unknown>,
  launch: Launcher = launchDetached,
): ServiceManager {
  return new RunKey(context, sleep, launch);
}

class RunKey implements ServiceManager {
  readonly kind = 'run-key';
  readonly #context: ServiceContext;
  readonly #sleep: (ms: number) => Promise<unknown>;
  readonly #launch: Launcher;
  readonly #installation: Installation;

  constructor(context: ServiceContext, sleep: (ms: number) => Promise<unknown>, launch: Launcher) {
    this.#context = context;
    this.#installation = new Installation(this.kind, context);
    this.#sleep = sleep;
    this.#launch = launch;
  }

  plan(definition: ServiceDefinition, { start }: InstallOptions): Plan {
    const argv = this.#argv(definition);
    return { kind: this.kind, files: [], commands: [add(argv), ...(start ? [argv] : [])] };
  }

  async install(definition: ServiceDefinition, options: InstallOptions): Promise<Installed> {
    const before = this.#installation.receipt();
    const argv = this.#argv(definition);
    const marks = [definition.logFolder, ...argv];
    const unchanged =
      before !== undefined && before.marks.join('\0') === marks.join('\0') && (await this.#isThere());
    if (!unchanged) await this.#expect(add(argv));
    this.#installation.record(definition, [], marks);
    let running = (await this.#pid()) !== undefined;
    if (options.start) {
      if (running && !unchanged) await this.stop();
      running = true;
      await this.start();
    }
    return this.#installation.report({
      before,
      updated: !unchanged,
      files: [],
      argv: withLogFiles(definition.argv),
      running,
      notes: [
        'It is started when you log on and is not started again when it ends: nobody watches a Run key.',
      ],
    });
  }

  async uninstall(): Promise<Uninstalled> {
    return this.#installation.remove(false, async () => {
      await this.stop();
      if (await this.#isThere()) await this.#expect(['reg.exe', 'delete', KEY, '/v', VALUE, '/f']);
    });
  }

  async start(): Promise<boolean> {
    const [, ...argv] = this.#installation.expect().marks;
    const [program, ...args] = argv;
    if ((await this.#pid()) !== undefined || program === undefined) return false;
    this.#launch([program, ...args]);
    return true;
  }

  async stop(): Promise<boolean> {
    const pid = await this.#pid();
    if (pid === undefined) return false;
    // Without a console there is no signal to send; the bridge keeps nothing that an end at once would harm.
    await this.#expect(['taskkill.exe', '/PID', String(pid), '/F']);
    for (let attempt = 0; attempt < STOP_ATTEMPTS && isAlive(pid); attempt++) await this.#sleep(STOP_STEP_MS);
    return true;
  }

  async restart(): Promise<void> {
    this.#installation.expect();
    await this.stop();
    await this.start();
  }

  async status(): Promise<ServiceStatus> {
    if (this.#installation.receipt() === undefined) return { kind: 'absent' };
    const pid = await this.#pid();
    if (pid !== undefined) return { kind: 'running', pid };
    if (await this.#isThere())
      return { kind: 'stopped', reason: 'nobody starts it again before the next logon' };
    return { kind: 'unknown', reason: `the value ${VALUE} is gone from the Run key` };
  }

  logs(): LogSource {
    return logFiles(this.#installation.receipt()?.marks[0]);
  }

  #argv(definition: ServiceDefinition): [string, ...string[]] {
    const root = this.#context.env['SystemRoot'] ?? 'C:\\Windows';
    const argv = withoutWindow(withLogFiles(definition.argv), root);
    const { length } = commandLine(argv);
    if (length <= MAX_COMMAND) return argv;
    throw new LocalError(
      'FOOTBRIDGE_SERVICE',
      `The command line for the Run key has ${length} characters and Windows reads at most ${MAX_COMMAND}. ` +
        'Install Footbridge in a folder with a shorter name.',
    );
  }

  /** A Run key knows no process: the bridge itself says who it is. */
  async #pid(): Promise<number | undefined> {
    return this.#context.bridgePid?.();
  }

  async #isThere(): Promise<boolean> {
    return (await this.#run(['reg.exe', 'query', KEY, '/v', VALUE])).code === 0;
  }

  async #expect(command: Command): Promise<void> {
    const ran = await this.#run(command);
    if (ran.code !== 0) throw refusal(`${command[0]} ${command[1]}`, ran);
  }

  #run(command: Command): Promise<Ran> {
    return attempt(this.#context.run, command);
  }
}

function add(argv: readonly string[]): Command {
  return ['reg.exe', 'add', KEY, '/v', VALUE, '/t', 'REG_SZ', '/d', commandLine(argv), '/f'];
}

function launchDetached([program, ...args]: readonly [string, ...string[]]): void {
  const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true });
  // What kept it from starting is in its log, or in the status that is asked for next.
  child.on('error', () => {});
  child.unref();
}
