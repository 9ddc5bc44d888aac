import { isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalError } from '../src/base/local-error.ts';
import { attempt, notInstalled, refusal } from './attempt.ts';
import { logFiles, withLogFiles } from './log-files.ts';
import type {
  Command,
  Installed,
  InstallOptions,
  LogOptions,
  LogSource,
  Plan,
  PlannedFile,
  Ran,
  ServiceContext,
  ServiceDefinition,
  ServiceKind,
  ServiceManager,
  ServiceStatus,
  Uninstalled,
} from './manager.ts';
import {
  keptNotes,
  placeFiles,
  type Receipt,
  readReceipt,
  receiptFiles,
  removeFiles,
  writeReceipt,
} from './receipt.ts';

/** An installation whose files stand there, to be registered. */
export interface Placed {
  readonly definition: ServiceDefinition;
  readonly options: InstallOptions;
  readonly files: readonly PlannedFile[];
  /** The receipt from before. */
  readonly before: Receipt | undefined;
  /** Whether one of the files is not what it was. */
  readonly changed: boolean;
  /** Keeps what is installed; to be called before anything is registered, which may fail and has to be undone all the same. */
  readonly record: (marks: readonly string[]) => void;
  /** What the user should know; more may be added. */
  readonly notes: string[];
}

/** What is the same whoever starts the bridge: its files, the receipt, and the order in which things are done. */
export abstract class BaseManager implements ServiceManager {
  readonly kind: ServiceKind;
  protected readonly context: ServiceContext;
  readonly #sleep: (ms: number) => Promise<unknown>;

  constructor(kind: ServiceKind, context: ServiceContext, sleep: (ms: number) => Promise<unknown> = delay) {
    this.kind = kind;
    this.context = context;
    this.#sleep = sleep;
  }

  /** What is called once the files stand there. */
  protected abstract commands(definition: ServiceDefinition, options: InstallOptions): Plan['commands'];
  /** Has it started from the next login on; whether something is not as it was. */
  protected abstract register(placed: Placed): Promise<boolean>;
  /** Has it started no more, and ends it; before its files go. */
  protected abstract unregister(receipt: Receipt, notes: string[]): Promise<void>;
  /** What the manager says of it. */
  protected abstract ask(): Promise<ServiceStatus>;
  /** Sees that it runs. */
  protected abstract bringUp(): Promise<void>;
  /** Sees that it does not run. */
  protected abstract end(): Promise<void>;

  protected files(_definition: ServiceDefinition, _options: InstallOptions): readonly PlannedFile[] {
    return [];
  }

  /** The command line that is started. */
  protected argv({ argv }: ServiceDefinition): Command {
    return withLogFiles(argv);
  }

  /** What of what is asked for this manager cannot do. */
  protected notes(_options: InstallOptions): readonly string[] {
    return [];
  }

  /** Throws `LocalError` FOOTBRIDGE_NO_MANAGER where the manager cannot be talked to. */
  protected async reach(): Promise<void> {}

  /** Whether there may be something to ask about. */
  protected isOurs(): boolean {
    return this.receipt() !== undefined;
  }

  /** Lets it run anew, with what was changed. */
  protected async bringUpAgain(): Promise<void> {
    await this.end();
    await this.bringUp();
  }

  /** Whether it runs, after it was `started` or left as it was. */
  protected async runs(_started: boolean): Promise<boolean> {
    return (await this.status()).kind === 'running';
  }

  /** A line about each file that stays because it was edited. */
  protected notesOfKept(kept: readonly string[]): readonly string[] {
    return keptNotes(kept);
  }

  plan(definition: ServiceDefinition, options: InstallOptions): Plan {
    return {
      kind: this.kind,
      files: this.files(definition, options),
      commands: this.commands(definition, options),
    };
  }

  async install(definition: ServiceDefinition, options: InstallOptions): Promise<Installed> {
    await this.reach();
    const { kind } = this;
    const before = this.receipt();
    const files = this.files(definition, options);
    const argv = this.argv(definition);
    const changed = placeFiles(files, before, options.force).length > 0;
    const notes = [...this.notes(options)];
    const { version, core, flags } = definition;
    const record = (marks: readonly string[]): void =>
      writeReceipt(this.context.stateFolder, {
        kind,
        version,
        core,
        flags,
        files: receiptFiles(files),
        marks,
      });
    const updated = await this.register({ definition, options, files, before, changed, record, notes });
    if (options.start) await (updated ? this.bringUpAgain() : this.bringUp());
    return {
      kind,
      change: before === undefined ? 'new' : updated ? 'updated' : 'unchanged',
      files: files.map(({ path }) => path),
      argv,
      running: await this.runs(options.start),
      notes,
    };
  }

  /** Takes away whatever the receipt names. Files that were edited stay, unless forced. */
  async uninstall({ force }: { readonly force: boolean }): Promise<Uninstalled> {
    const receipt = this.receipt();
    if (receipt === undefined) return { change: 'unchanged', files: [], notes: [] };
    const notes: string[] = [];
    await this.unregister(receipt, notes);
    const { removed, kept } = removeFiles(receipt.files, force);
    notes.push(...this.notesOfKept(kept));
    writeReceipt(this.context.stateFolder, undefined);
    return { change: 'removed', files: removed, notes };
  }

  async start(): Promise<boolean> {
    if ((await this.installed()).kind === 'running') return false;
    await this.bringUp();
    return true;
  }

  async stop(): Promise<boolean> {
    if (!this.isOurs()) return false;
    await this.reach();
    const { kind } = await this.ask();
    if (kind === 'absent') return false;
    await this.end();
    return kind === 'running' || kind === 'starting';
  }

  async restart(): Promise<void> {
    await this.installed();
    await this.bringUpAgain();
  }

  async status(): Promise<ServiceStatus> {
    if (!this.isOurs()) return { kind: 'absent' };
    try {
      await this.reach();
      return await this.ask();
    } catch (error) {
      if (!(error instanceof LocalError)) throw error;
      return this.receipt() === undefined ? { kind: 'absent' } : { kind: 'unknown', reason: error.message };
    }
  }

  logs(_options: LogOptions): LogSource {
    return logFiles(this.receipt()?.marks[0]);
  }

  /** Undefined when nothing is installed, or another manager installed it. */
  protected receipt(): Receipt | undefined {
    const receipt = readReceipt(this.context.stateFolder);
    return receipt?.kind === this.kind ? receipt : undefined;
  }

  /** How it is; throws `LocalError` FOOTBRIDGE_NOT_INSTALLED for what is not there. */
  protected async installed(): Promise<ServiceStatus> {
    await this.reach();
    const status: ServiceStatus = this.isOurs() ? await this.ask() : { kind: 'absent' };
    if (status.kind === 'absent') throw notInstalled();
    return status;
  }

  protected async isReached(): Promise<boolean> {
    try {
      await this.reach();
      return true;
    } catch (error) {
      if (error instanceof LocalError) return false;
      throw error;
    }
  }

  /** A folder in that of the user's settings, as the desktop specifications name it. */
  protected configFolder(...names: readonly string[]): string {
    const { env, home } = this.context;
    const config = env['XDG_CONFIG_HOME'] ?? '';
    return join(isAbsolute(config) ? config : join(home, '.config'), ...names);
  }

  /** Looks so often, with pauses between; whether it was so in the end. */
  protected async until(
    isSo: () => boolean | Promise<boolean>,
    attempts: number,
    pauseMs: number,
  ): Promise<boolean> {
    for (let look = 0; look < attempts; look += 1) {
      if (await isSo()) return true;
      await this.#sleep(pauseMs);
    }
    return false;
  }

  protected sleep(ms: number): Promise<unknown> {
    return this.#sleep(ms);
  }

  /** Throws `LocalError` FOOTBRIDGE_SERVICE where the program does not end with 0. */
  protected async expect(command: Command, named: string = command.slice(0, 2).join(' ')): Promise<Ran> {
    const ran = await this.run(command);
    if (ran.code !== 0) throw refusal(named, ran);
    return ran;
  }

  protected run(command: Command): Promise<Ran> {
    return attempt(this.context.run, command);
  }
}
