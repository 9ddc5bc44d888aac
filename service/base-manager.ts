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
  editedNotes,
  type Receipt,
  readReceipt,
  receiptFiles,
  removeFiles,
  writeFiles,
  writeReceipt,
} from './receipt.ts';

/** An installation whose files are written and which has to be registered. */
export interface Placed {
  readonly definition: ServiceDefinition;
  readonly options: InstallOptions;
  readonly files: readonly PlannedFile[];
  /** The receipt of the previous installation. */
  readonly before: Receipt | undefined;
  /** Whether the content of one of the files has changed. */
  readonly changed: boolean;
  /**
   * Stores the receipt. Call it before each registration: a registration may fail, and what it did must then still be
   * undone.
   */
  readonly record: (marks: readonly string[]) => void;
  /** Notes for the user, to which `register` may add. */
  readonly notes: string[];
}

/** Common part of all managers: the bridge's files, the receipt, and the order of the steps. */
export abstract class BaseManager implements ServiceManager {
  readonly kind: ServiceKind;
  protected readonly context: ServiceContext;
  readonly #sleep: (ms: number) => Promise<unknown>;

  constructor(kind: ServiceKind, context: ServiceContext, sleep: (ms: number) => Promise<unknown> = delay) {
    this.kind = kind;
    this.context = context;
    this.#sleep = sleep;
  }

  /** Commands to run after the files are written. */
  protected abstract commands(definition: ServiceDefinition, options: InstallOptions): Plan['commands'];
  /** Registers the service to start from the next login on; returns whether anything changed. */
  protected abstract register(placed: Placed): Promise<boolean>;
  /** Disables further starts of the bridge and ends it, before its files are removed. */
  protected abstract unregister(receipt: Receipt, notes: string[]): Promise<void>;
  /** Queries the manager for the status of the service. */
  protected abstract queryStatus(): Promise<ServiceStatus>;
  /** Starts it unless it runs. */
  protected abstract bringUp(): Promise<void>;
  /** Stops it if it runs. */
  protected abstract end(): Promise<void>;

  protected files(_definition: ServiceDefinition, _options: InstallOptions): readonly PlannedFile[] {
    return [];
  }

  /** The command line of the service. */
  protected argv({ argv }: ServiceDefinition): Command {
    return withLogFiles(argv);
  }

  /** Returns notes about requested options that this manager does not support. */
  protected notes(_options: InstallOptions): readonly string[] {
    return [];
  }

  /** Checks that the manager can be reached. Throws `LocalError` FOOTBRIDGE_NO_MANAGER when it cannot. */
  protected async reach(): Promise<void> {}

  /** Whether this manager may have an installation to query. */
  protected isOurs(): boolean {
    return this.receipt() !== undefined;
  }

  /** Restarts it with the changes. */
  protected async bringUpAgain(): Promise<void> {
    await this.end();
    await this.bringUp();
  }

  /** Whether the service runs after the installation; `_started` states whether the installation started it. */
  protected async runs(_started: boolean): Promise<boolean> {
    return (await this.status()).kind === 'running';
  }

  /** Returns a line about each file that stays because it was edited. */
  protected notesOfEdited(edited: readonly string[]): readonly string[] {
    return editedNotes(edited);
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
    // The receipt follows at once: files without it could not be removed by "uninstall".
    const changed = writeFiles(files, before, options.force, () => record(before?.marks ?? [])).length > 0;
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

  /** Removes everything that the receipt names. Edited files stay, unless `force` is set. */
  async uninstall({ force }: { readonly force: boolean }): Promise<Uninstalled> {
    const receipt = this.receipt();
    if (receipt === undefined) return { change: 'unchanged', files: [], notes: [] };
    const notes: string[] = [];
    await this.unregister(receipt, notes);
    const { removed, editedPaths: edited } = removeFiles(receipt.files, force);
    notes.push(...this.notesOfEdited(edited));
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
    const { kind } = await this.queryStatus();
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
      return await this.queryStatus();
    } catch (error) {
      if (!(error instanceof LocalError)) throw error;
      return this.receipt() === undefined ? { kind: 'absent' } : { kind: 'unknown', reason: error.message };
    }
  }

  logs(_options: LogOptions): LogSource {
    return logFiles(this.receipt()?.marks[0]);
  }

  /** Receipt of this manager's installation; undefined when there is none, or when another manager made it. */
  protected receipt(): Receipt | undefined {
    const receipt = readReceipt(this.context.stateFolder);
    return receipt?.kind === this.kind ? receipt : undefined;
  }

  /** Returns the status of the service. Throws `LocalError` FOOTBRIDGE_NOT_INSTALLED when it is not installed. */
  protected async installed(): Promise<ServiceStatus> {
    await this.reach();
    const status: ServiceStatus = this.isOurs() ? await this.queryStatus() : { kind: 'absent' };
    if (status.kind === 'absent') throw notInstalled();
    return status;
  }

  protected isReached(): Promise<boolean> {
    return this.reach().then(
      () => true,
      () => false,
    );
  }

  /** Returns a folder below the user's configuration folder (XDG Base Directory Specification). */
  protected configFolder(...names: readonly string[]): string {
    const { env, home } = this.context;
    const config = env['XDG_CONFIG_HOME'] ?? '';
    return join(isAbsolute(config) ? config : join(home, '.config'), ...names);
  }

  /**
   * Checks the condition up to `attempts` times, with a pause after each failed check, and once more after the last pause;
   * returns whether it was met.
   */
  protected async until(
    isSo: () => boolean | Promise<boolean>,
    attempts: number,
    pauseMs: number,
  ): Promise<boolean> {
    for (let poll = 0; poll < attempts; poll += 1) {
      if (await isSo()) return true;
      await this.#sleep(pauseMs);
    }
    return await isSo();
  }

  protected sleep(ms: number): Promise<unknown> {
    return this.#sleep(ms);
  }

  /** Runs a program. Throws `LocalError` FOOTBRIDGE_SERVICE when its exit code is not 0. */
  protected async expect(command: Command, named: string = command.slice(0, 2).join(' ')): Promise<Ran> {
    const ran = await this.run(command);
    if (ran.code !== 0) throw refusal(named, ran);
    return ran;
  }

  protected run(command: Command): Promise<Ran> {
    return attempt(this.context.run, command);
  }
}
