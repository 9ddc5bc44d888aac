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

/** An installation whose files are in place, to be registered. */
export interface Placed {
  readonly definition: ServiceDefinition;
  readonly options: InstallOptions;
  readonly files: readonly PlannedFile[];
  /** The receipt of the previous installation. */
  readonly before: Receipt | undefined;
  /** Whether one of the files has changed. */
  readonly changed: boolean;
  /** Records the installation; call it before any registration, which may fail and must then be undone nevertheless. */
  readonly record: (marks: readonly string[]) => void;
  /** Notes for the user; more may be added. */
  readonly notes: string[];
}

/** Common part of every manager: the bridge's files, the receipt, and the order of the steps. */
export abstract class BaseManager implements ServiceManager {
  readonly kind: ServiceKind;
  protected readonly context: ServiceContext;
  readonly #sleep: (ms: number) => Promise<unknown>;

  constructor(kind: ServiceKind, context: ServiceContext, sleep: (ms: number) => Promise<unknown> = delay) {
    this.kind = kind;
    this.context = context;
    this.#sleep = sleep;
  }

  /** Commands to run once the files are in place. */
  protected abstract commands(definition: ServiceDefinition, options: InstallOptions): Plan['commands'];
  /** Registers it to start from the next login on; returns whether anything changed. */
  protected abstract register(placed: Placed): Promise<boolean>;
  /** Disables further starts of the bridge, and ends it, before its files are removed. */
  protected abstract unregister(receipt: Receipt, notes: string[]): Promise<void>;
  /** Queries the manager for the status of the service. */
  protected abstract ask(): Promise<ServiceStatus>;
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

  /** Requested options that this manager cannot satisfy. */
  protected notes(_options: InstallOptions): readonly string[] {
    return [];
  }

  /** Throws `LocalError` FOOTBRIDGE_NO_MANAGER for an unreachable manager. */
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

  /** Whether it runs, after it was `started` or left unchanged. */
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

  /** Removes everything that the receipt names. Files that were edited stay, unless forced. */
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

  /** Undefined for no installation, or one of another manager. */
  protected receipt(): Receipt | undefined {
    const receipt = readReceipt(this.context.stateFolder);
    return receipt?.kind === this.kind ? receipt : undefined;
  }

  /** Status of the service; throws `LocalError` FOOTBRIDGE_NOT_INSTALLED for an absent one. */
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

  /** A folder below the user's settings folder, as the desktop specifications name it. */
  protected configFolder(...names: readonly string[]): string {
    const { env, home } = this.context;
    const config = env['XDG_CONFIG_HOME'] ?? '';
    return join(isAbsolute(config) ? config : join(home, '.config'), ...names);
  }

  /** Polls that number of times, with pauses between; returns the final result. */
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

  /** Runs a program; throws `LocalError` FOOTBRIDGE_SERVICE unless it ends with 0. */
  protected async expect(command: Command, named: string = command.slice(0, 2).join(' ')): Promise<Ran> {
    const ran = await this.run(command);
    if (ran.code !== 0) throw refusal(named, ran);
    return ran;
  }

  protected run(command: Command): Promise<Ran> {
    return attempt(this.context.run, command);
  }
}
