import { notInstalled } from './attempt.ts';
import type {
  Installed,
  PlannedFile,
  ServiceContext,
  ServiceDefinition,
  ServiceKind,
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

/** What {@link Installation.report} makes its report of. */
export interface Outcome {
  /** The receipt from before. */
  readonly before: Receipt | undefined;
  readonly updated: boolean;
  readonly files: readonly PlannedFile[];
  readonly argv: readonly string[];
  readonly running: boolean;
  readonly notes: readonly string[];
}

/** The part of a service that is the same whoever starts it: its files, and the receipt that names what is to be undone. */
export class Installation {
  readonly #kind: ServiceKind;
  readonly #stateFolder: string;

  constructor(kind: ServiceKind, { stateFolder }: Pick<ServiceContext, 'stateFolder'>) {
    this.#kind = kind;
    this.#stateFolder = stateFolder;
  }

  /** Undefined when nothing is installed, or another manager installed it. */
  receipt(): Receipt | undefined {
    const receipt = readReceipt(this.#stateFolder);
    return receipt?.kind === this.#kind ? receipt : undefined;
  }

  /** Throws `LocalError` FOOTBRIDGE_NOT_INSTALLED without a receipt. */
  expect(): Receipt {
    const receipt = this.receipt();
    if (receipt === undefined) throw notInstalled();
    return receipt;
  }

  /** Writes the files; whether one of them changed. Throws `LocalError` FOOTBRIDGE_EDITED and writes none. */
  place(files: readonly PlannedFile[], force: boolean): boolean {
    return placeFiles(files, this.receipt(), force).length > 0;
  }

  /** Keeps what is installed; to be called before anything is registered, which may fail and has to be undone all the same. */
  record(
    { version, core, flags }: ServiceDefinition,
    files: readonly PlannedFile[],
    marks: readonly string[],
  ): void {
    const kind = this.#kind;
    writeReceipt(this.#stateFolder, { kind, version, core, flags, files: receiptFiles(files), marks });
  }

  /** How it ended. */
  report({ before, updated, files, argv, running, notes }: Outcome): Installed {
    return {
      kind: this.#kind,
      change: before === undefined ? 'new' : updated ? 'updated' : 'unchanged',
      files: files.map(({ path }) => path),
      argv,
      running,
      notes,
    };
  }

  /**
   * Takes away whatever the receipt names; `unregister` comes first and may add notes. Files that were edited stay, unless
   * forced.
   */
  async remove(
    force: boolean,
    unregister: (receipt: Receipt, notes: string[]) => Promise<void>,
    noteOf: (kept: readonly string[]) => readonly string[] = keptNotes,
  ): Promise<Uninstalled> {
    const receipt = this.receipt();
    if (receipt === undefined) return { change: 'unchanged', files: [], notes: [] };
    const notes: string[] = [];
    await unregister(receipt, notes);
    const { removed, kept } = removeFiles(receipt.files, force);
    notes.push(...noteOf(kept));
    writeReceipt(this.#stateFolder, undefined);
    return { change: 'removed', files: removed, notes };
  }
}
