import { join } from 'node:path';
import { refusal } from './attempt.ts';
import { BaseManager, type Placed } from './base-manager.ts';
import type {
  Command,
  InstallOptions,
  PlannedFile,
  Ran,
  ServiceContext,
  ServiceDefinition,
  ServiceManager,
  ServiceStatus,
} from './manager.ts';
import { receiptFiles, removeFiles, writeReceipt } from './receipt.ts';
import { taskXml } from './task-xml.ts';
import { withoutWindow } from './windows-command-line.ts';

/**
 * Values of `Last Result` in `schtasks /Query /V`. Only these numbers are evaluated, because all texts are in the
 * language of the system.
 */
const RESULTS = { running: 267_009, neverRun: 267_011, ended: 267_014 } as const;
/** Column of the result in the list. */
const RESULT_COLUMN = 6;
/** Number of polls after a start or a stop, which the scheduler reports with a delay, and their interval (ms). */
const SETTLE_ATTEMPTS = 20;
const SETTLE_MS = 100;

/**
 * Returns the manager for a task of the calling user, which starts at logon with minimum privileges. It is never a
 * service of the system.
 */
export function taskSchedulerManager(
  context: ServiceContext,
  sleep: (ms: number) => Promise<unknown>,
): ServiceManager {
  return new TaskScheduler(context, sleep);
}

class TaskScheduler extends BaseManager {
  readonly #task: string;
  readonly #path: string;

  constructor(context: ServiceContext, sleep: (ms: number) => Promise<unknown>) {
    super('task-scheduler', context, sleep);
    // Task names are shared by all users of the machine, so the name contains the user. The replaced characters cannot
    // occur in it.
    this.#task = `Footbridge (${context.user.replace(/[\\/:*?"<>|]/g, '_')})`;
    this.#path = join(context.stateFolder, 'logon-task.xml');
  }

  protected commands(_definition: ServiceDefinition, { start }: InstallOptions): Command[] {
    return [this.#create(), ...(start ? [this.#schtasks('/Run')] : [])];
  }

  protected override files(definition: ServiceDefinition): PlannedFile[] {
    const { env, user } = this.context;
    const domain = env['USERDOMAIN'] ?? '';
    const content = taskXml({
      userId: domain === '' ? user : `${domain}\\${user}`,
      argv: withoutWindow(this.argv(definition), env['SystemRoot'] ?? 'C:\\Windows'),
      description: 'Footbridge, the local RPC bridge. "footbridge uninstall" takes it away.',
    });
    return [{ path: this.#path, content, mode: 0o600 }];
  }

  protected override notes({ linger, socket }: InstallOptions): string[] {
    return [
      ...(linger ? ['Windows ends it when you log off; there is no lingering here.'] : []),
      ...(socket ? ['Windows holds no pipe for it; it listens itself.'] : []),
    ];
  }

  protected async register({
    definition,
    options,
    files,
    before,
    changed,
    record,
  }: Placed): Promise<boolean> {
    const { kind } = await this.queryStatus();
    const isRegistered = kind !== 'absent' && !changed;
    if (!isRegistered) {
      if (kind === 'running' && options.start) await this.end();
      try {
        await this.#execute(this.#create());
      } catch (error) {
        // On some systems a policy forbids tasks; nothing of it stays then, so that another method can be used.
        if (before === undefined) {
          removeFiles(receiptFiles(files), true);
          writeReceipt(this.context.stateFolder, undefined);
        }
        throw error;
      }
    }
    record([definition.logFolder]);
    return !isRegistered;
  }

  protected async unregister(): Promise<void> {
    if ((await this.queryStatus()).kind === 'absent') return;
    await this.end();
    await this.#execute(this.#schtasks('/Delete', '/F'));
  }

  protected async bringUp(): Promise<void> {
    if ((await this.queryStatus()).kind === 'running') return;
    await this.#execute(this.#schtasks('/Run'));
    await this.#until((kind) => kind === 'running' || kind === 'failed');
  }

  protected async end(): Promise<void> {
    if ((await this.queryStatus()).kind !== 'running') return;
    await this.#execute(this.#schtasks('/End'));
    await this.#until((kind) => kind !== 'running');
  }

  #until(reached: (kind: ServiceStatus['kind']) => boolean): Promise<boolean> {
    return this.until(async () => reached((await this.queryStatus()).kind), SETTLE_ATTEMPTS, SETTLE_MS);
  }

  protected async queryStatus(): Promise<ServiceStatus> {
    const ran = await this.run(this.#schtasks('/Query', '/V', '/FO', 'CSV', '/NH'));
    if (ran.code === undefined) return { kind: 'unknown', reason: refusal('schtasks /Query', ran).message };
    // In every language, exit code 1 means that the task does not exist.
    return ran.code === 0 ? statusFrom(ran.stdout) : { kind: 'absent' };
  }

  #execute(command: Command): Promise<Ran> {
    return this.expect(command, `schtasks ${command[1]}`);
  }

  #create(): Command {
    return this.#schtasks('/Create', '/XML', this.#path, '/F');
  }

  #schtasks(verb: string, ...more: readonly string[]): Command {
    return ['schtasks.exe', verb, '/TN', this.#task, ...more];
  }
}

/** Parses the status from a row of `schtasks /Query /V /FO CSV /NH`. */
export function statusFrom(row: string): ServiceStatus {
  const fields = [...row.matchAll(/"((?:[^"]|"")*)"/g)].map(([, field]) => field);
  const text = fields[RESULT_COLUMN] ?? '';
  // The number is converted to unsigned, because codes of crashed programs are printed as negative numbers.
  if (!/^-?\d+$/.test(text)) return { kind: 'unknown', reason: 'schtasks does not tell the last result' };
  const result = Number(text) >>> 0;
  switch (result) {
    case RESULTS.running:
      return { kind: 'running' };
    case 0:
    case RESULTS.neverRun:
    case RESULTS.ended:
      return { kind: 'stopped' };
    default:
      return {
        kind: 'failed',
        reason: result < 256 ? `exit code ${result}` : `result 0x${result.toString(16)}`,
      };
  }
}
