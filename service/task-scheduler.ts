import { join } from 'node:path';
import { attempt, notInstalled, refusal } from './attempt.ts';
import { Installation } from './installation.ts';
import { logFiles, withLogFiles } from './log-files.ts';
import type {
  Installed,
  InstallOptions,
  LogSource,
  Plan,
  PlannedFile,
  Ran,
  ServiceContext,
  ServiceDefinition,
  ServiceManager,
  ServiceStatus,
  Uninstalled,
} from './manager.ts';
import { receiptFiles, removeFiles } from './receipt.ts';
import { taskXml } from './task-xml.ts';
import { withoutWindow } from './windows-words.ts';

/** `Last Result` of `schtasks /Query /V`: numbers, where every text is in the language of the system. */
const RESULTS = { running: 267_009, neverRun: 267_011, ended: 267_014 } as const;
/** Its column in the list. */
const RESULT_COLUMN = 6;
/** After a start and after an end the scheduler takes a moment to say so. */
const SETTLE_ATTEMPTS = 20;
const SETTLE_MS = 100;

type Command = readonly [string, ...string[]];

/** A task of the user who calls it, started at logon with least privilege. Never a service of the system. */
export function taskSchedulerManager(
  context: ServiceContext,
  sleep: (ms: number) => Promise<unknown>,
): ServiceManager {
  return new TaskScheduler(context, sleep);
}

class TaskScheduler implements ServiceManager {
  readonly kind = 'task-scheduler';
  readonly #context: ServiceContext;
  readonly #sleep: (ms: number) => Promise<unknown>;
  readonly #task: string;
  readonly #path: string;
  readonly #installation: Installation;

  constructor(context: ServiceContext, sleep: (ms: number) => Promise<unknown>) {
    this.#context = context;
    this.#installation = new Installation(this.kind, context);
    this.#sleep = sleep;
    // Names are the machine's, not the user's; a user's name may hold none of these signs but blanks.
    this.#task = `Footbridge (${context.user.replace(/[\\/:*?"<>|]/g, '_')})`;
    this.#path = join(context.stateFolder, 'logon-task.xml');
  }

  plan(definition: ServiceDefinition, { start }: InstallOptions): Plan {
    return {
      kind: this.kind,
      files: this.#files(definition),
      commands: [this.#create(), ...(start ? [this.#schtasks('/Run')] : [])],
    };
  }

  async install(definition: ServiceDefinition, options: InstallOptions): Promise<Installed> {
    const before = this.#installation.receipt();
    const files = this.#files(definition);
    const changed = this.#installation.place(files, options.force);
    const { kind } = await this.#askStatus();
    const registered = kind !== 'absent' && !changed;
    if (!registered) {
      if (kind === 'running' && options.start) await this.#end();
      try {
        await this.#expect(this.#create());
      } catch (error) {
        // Policies forbid it in some places: nothing of it stays, so that another way can be taken.
        if (before === undefined) removeFiles(receiptFiles(files), true);
        throw error;
      }
    }
    this.#installation.record(definition, files, [definition.logFolder]);
    if (options.start) await this.#bringUp();
    return this.#installation.report({
      before,
      updated: !registered,
      files,
      argv: withLogFiles(definition.argv),
      running: (await this.#askStatus()).kind === 'running',
      notes: [
        ...(options.linger ? ['Windows ends it when you log off; there is no lingering here.'] : []),
        ...(options.socket ? ['Windows holds no pipe for it; it listens itself.'] : []),
      ],
    });
  }

  async uninstall({ force }: { readonly force: boolean }): Promise<Uninstalled> {
    return this.#installation.remove(force, async () => {
      if ((await this.#askStatus()).kind === 'absent') return;
      await this.#end();
      await this.#expect(this.#schtasks('/Delete', '/F'));
    });
  }

  async start(): Promise<boolean> {
    const before = await this.#installedStatus();
    if (before.kind === 'running') return false;
    await this.#bringUp();
    return true;
  }

  async stop(): Promise<boolean> {
    const before = await this.#askStatus();
    if (before.kind === 'absent') return false;
    await this.#end();
    return before.kind === 'running';
  }

  async restart(): Promise<void> {
    await this.#installedStatus();
    await this.#end();
    await this.#bringUp();
  }

  async status(): Promise<ServiceStatus> {
    if (this.#installation.receipt() === undefined) return { kind: 'absent' };
    return this.#askStatus();
  }

  logs(): LogSource {
    return logFiles(this.#installation.receipt()?.marks[0]);
  }

  #files(definition: ServiceDefinition): PlannedFile[] {
    const { env, user } = this.#context;
    const domain = env['USERDOMAIN'] ?? '';
    const content = taskXml({
      userId: domain === '' ? user : `${domain}\\${user}`,
      argv: withoutWindow(withLogFiles(definition.argv), env['SystemRoot'] ?? 'C:\\Windows'),
      description: 'Footbridge, the local RPC bridge. "footbridge uninstall" takes it away.',
    });
    return [{ path: this.#path, content, mode: 0o600 }];
  }

  async #installedStatus(): Promise<ServiceStatus> {
    const status = await this.status();
    if (status.kind !== 'absent') return status;
    throw notInstalled();
  }

  async #bringUp(): Promise<void> {
    if ((await this.#askStatus()).kind === 'running') return;
    await this.#expect(this.#schtasks('/Run'));
    await this.#until((kind) => kind === 'running' || kind === 'failed');
  }

  async #end(): Promise<void> {
    if ((await this.#askStatus()).kind !== 'running') return;
    await this.#expect(this.#schtasks('/End'));
    await this.#until((kind) => kind !== 'running');
  }

  async #until(reached: (kind: ServiceStatus['kind']) => boolean): Promise<void> {
    for (let attempt = 0; attempt < SETTLE_ATTEMPTS; attempt++) {
      if (reached((await this.#askStatus()).kind)) return;
      await this.#sleep(SETTLE_MS);
    }
  }

  async #askStatus(): Promise<ServiceStatus> {
    const ran = await this.#run(this.#schtasks('/Query', '/V', '/FO', 'CSV', '/NH'));
    if (ran.code === undefined) return { kind: 'unknown', reason: refusal('schtasks /Query', ran).message };
    // 1 is what a task that is not there ends with, in every language.
    return ran.code === 0 ? statusFrom(ran.stdout) : { kind: 'absent' };
  }

  #create(): Command {
    return this.#schtasks('/Create', '/XML', this.#path, '/F');
  }

  #schtasks(verb: string, ...more: readonly string[]): Command {
    return ['schtasks.exe', verb, '/TN', this.#task, ...more];
  }

  async #expect(command: Command): Promise<void> {
    const ran = await this.#run(command);
    if (ran.code !== 0) throw refusal(`schtasks ${command[1]}`, ran);
  }

  #run(command: Command): Promise<Ran> {
    return attempt(this.#context.run, command);
  }
}

/** From a row of `schtasks /Query /V /FO CSV /NH`. */
export function statusFrom(row: string): ServiceStatus {
  const fields = [...(row.split(/\r?\n/, 1)[0] ?? '').matchAll(/"((?:[^"]|"")*)"/g)].map(
    ([, field]) => field,
  );
  const text = fields[RESULT_COLUMN] ?? '';
  // Codes of programs that crashed come as negative numbers.
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
