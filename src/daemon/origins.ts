import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { makeFolder } from '../../platform/files/private-file.ts';
import { acquireLock, type Lock, pidText } from '../../platform/native/lock.ts';
import type { Native, NativeAbsence } from '../../platform/native/native.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { adminOperationsFor } from '../base/admin-operation.ts';
import { LocalError, systemCode } from '../base/local-error.ts';
import {
  memorySaveResult,
  type SaveResult,
  Saves,
  type Stored,
  storedFields,
  storedOf,
} from '../base/saves.ts';
import { contentBy, type DamagedFile, damagedCopies, readChecked, writeChecked } from './checked-file.ts';
import {
  createOriginList,
  isOriginEntry,
  type OriginEntry,
  type OriginList,
  originPresets,
} from './origin-list.ts';
import { unwritten } from './state-files.ts';

const changeArgs = () =>
  z.union([
    z.object({ preset: z.string().check(z.maxLength(64)) }),
    z.object({ clientId: z.string().check(z.maxLength(20)), origin: z.string().check(z.maxLength(300)) }),
  ]);

/** Entry to add or remove: a page for an app, or a preset. */
export type Change = z.output<ReturnType<typeof changeArgs>>;

/** Web pages that the user allows. The list is stored in a file of its own. */
export interface AllowedOrigins {
  allows(clientId: string | undefined, origin: string): boolean;
  /** Entries of the list and of the core, damaged files of the list, and the available presets. */
  list(): {
    readonly origins: readonly OriginEntry[];
    readonly ofCore: readonly OriginEntry[];
    readonly damaged: readonly string[];
    readonly presets: readonly { readonly name: string; readonly summary: string }[];
  };
  /**
   * Adds an entry or a preset, and resolves with the whole list. The change is in force at once, stored or not. Rejects
   * with `LocalError` FOOTBRIDGE_ORIGIN for an invalid entry.
   */
  add(change: Change): Promise<Changed>;
  /** Removes an entry or a preset, and resolves with the remaining list. Rejects as `add` does. */
  remove(change: Change): Promise<Changed>;
  /** Tries a failed save once more. */
  close(): Promise<void>;
}

/** The list after a change. */
export type Changed = { readonly origins: readonly OriginEntry[] } & Stored;

/** A change of the list. */
type Edit = (entries: readonly OriginEntry[]) => readonly OriginEntry[];

/** Maximum time (ms) that another process may hold the lock of the file, and the pause between two attempts. */
const LOCK_MS = 1000;
const LOCK_PAUSE_MS = 20;

/** Maximum number of entries, which also bounds the size of the file. */
const MAX_ENTRIES = 1024;
const MAX_FILE_BYTES = 1024 * 1024;

const fileShape = () =>
  z.object({
    origins: z.array(z.object({ clientId: z.string(), origin: z.string() })).check(z.maxLength(MAX_ENTRIES)),
  });

/** File of the list, and further sources of allowed pages. */
export interface OriginSources {
  /** Path of the list's file; undefined stores the list in memory only. */
  readonly path: string | undefined;
  /** Id of the user who may have written the file; undefined on a system without user ids. */
  readonly uid: number | undefined;
  /** Origins that the core's own data allows, such as the applications of a fixture. Called again for each check. */
  readonly ofCore?: (() => readonly OriginEntry[]) | undefined;
  readonly native: Native | NativeAbsence;
  /** Called with the result of each save of the file. */
  readonly onSaved?: ((path: string, result: SaveResult) => void) | undefined;
  /** Reason why there is no path, where that is a fault. */
  readonly unstored?: string | undefined;
  /** Called when the file is damaged. A damaged file allows no page and is moved aside. */
  readonly onDamaged: (damaged: DamagedFile) => void;
}

/**
 * Reads the list. Throws `LocalError` FOOTBRIDGE_CONFIG for a file that cannot be read or that another user may have
 * written, because no permission may be lost or invented.
 */
export function allowedOrigins(sources: OriginSources): AllowedOrigins {
  const { path, uid, ofCore, onDamaged, unstored } = sources;
  let list = (path === undefined ? undefined : readList(path, uid, onDamaged)) ?? createOriginList([]);
  const coreEntries = (): readonly OriginEntry[] => ofCore?.().filter(isOriginEntry) ?? [];
  const saves = new Saves();
  /** Changes that the file does not have. */
  let pending: readonly Edit[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  const write = async (file: string): Promise<SaveResult> => {
    try {
      makeFolder(dirname(file));
      const lock = await lockOf(file, sources.native);
      try {
        // Another process may have changed the file, so the changes are made to its present content. A file that was
        // removed or damaged meanwhile is written anew.
        const stored = readList(file, uid, onDamaged) ?? list;
        list = edited(stored.entries, pending);
        writeChecked(file, { origins: list.entries });
        pending = [];
      } finally {
        lock.release();
      }
      return { kind: 'saved' };
    } catch (error) {
      return unwritten(file, error);
    }
  };
  const save = (): Promise<SaveResult> => {
    const next = writing.then(async (): Promise<SaveResult> => {
      if (path === undefined) return memorySaveResult(unstored);
      const result = await write(path);
      sources.onSaved?.(path, result);
      return result;
    });
    writing = next;
    return next;
  };
  const change = async (edit: Edit): Promise<Changed> => {
    list = edited(list.entries, [edit]);
    pending = [...pending, edit];
    const stored = storedOf(await saves.run(save));
    return { origins: list.entries, ...stored };
  };
  return {
    allows: (clientId, origin) =>
      list.allows(clientId, origin) ||
      coreEntries().some(
        (entry) => origin === entry.origin && (clientId ?? entry.clientId) === entry.clientId,
      ),
    list: () => ({
      origins: list.entries,
      ofCore: coreEntries(),
      damaged: path === undefined ? [] : damagedCopies(path),
      presets: Object.entries(originPresets).map(([name, { summary }]) => ({ name, summary })),
    }),
    add: async (args) => {
      const added = entriesOf(args);
      return change((entries) => [...entries, ...added]);
    },
    remove: async (args) => {
      const removed = entriesOf(args);
      const edit: Edit = (all) => all.filter((entry) => !removed.some((other) => same(entry, other)));
      // Throws for an invalid origin: it is a typing mistake, and not an entry that was removed earlier.
      createOriginList(removed);
      if (edit(list.entries).length === list.entries.length) throw notListed(args, coreEntries());
      return change(edit);
    },
    close: () => saves.close(),
  };
}

/** The list after some changes. Throws `LocalError` FOOTBRIDGE_ORIGIN for one that is invalid or too long. */
function edited(entries: readonly OriginEntry[], edits: readonly Edit[]): OriginList {
  const next = createOriginList(edits.reduce((before, edit) => edit(before), entries));
  // A longer list could not be read at the next start.
  if (next.entries.length <= MAX_ENTRIES) return next;
  throw new LocalError('FOOTBRIDGE_ORIGIN', `At most ${MAX_ENTRIES} origins are kept. Remove some first.`);
}

/** Locks the file for one change, because several bridges and commands may change it. Throws after a timeout. */
async function lockOf(file: string, native: Native | NativeAbsence): Promise<Lock> {
  const path = join(dirname(file), 'origins.lock');
  for (const end = performance.now() + LOCK_MS; ; await delay(LOCK_PAUSE_MS)) {
    const lock = await acquireLock(path, native, { onlyOurs: true });
    if (lock.kind === 'locked') return lock;
    if (performance.now() > end)
      throw new Error(`another Footbridge${pidText(lock)} has it locked for ${LOCK_MS} ms`);
  }
}

const entries = () => z.array(z.object({ clientId: z.string(), origin: z.string() }));

const changed = () => z.object({ origins: entries(), ...storedFields(z.boolean, z.string) });

const operation = adminOperationsFor<{ readonly origins: Pick<AllowedOrigins, 'list' | 'add' | 'remove'> }>();

/** Operations on the list of allowed web pages. */
export const originOperations = [
  operation({
    name: 'origins.list',
    summary: 'The web pages that may connect, and the presets there are',
    about:
      '`ofCore` are those that the client core allows; `damaged` files that could not be read and were moved aside.',
    args: () => z.object({}),
    result: () =>
      z.object({
        origins: entries(),
        ofCore: entries(),
        damaged: z.array(z.string()),
        presets: z.array(z.object({ name: z.string(), summary: z.string() })),
      }),
    run: ({ origins }) => origins.list(),
  }),
  operation({
    name: 'origins.add',
    summary: 'Let pages of an origin speak for an app, or add a preset by its name',
    args: changeArgs,
    result: changed,
    run: ({ origins }, change) => origins.add(change),
  }),
  operation({
    name: 'origins.remove',
    summary: 'Take such a permission back; sessions that it let in stay',
    args: changeArgs,
    result: changed,
    run: ({ origins }, change) => origins.remove(change),
  }),
] as const;

function entriesOf(change: Change): readonly OriginEntry[] {
  if (!('preset' in change)) return [change];
  const preset = Object.hasOwn(originPresets, change.preset) ? originPresets[change.preset] : undefined;
  if (preset) return preset.entries;
  const names = Object.keys(originPresets).join(', ');
  throw new LocalError('FOOTBRIDGE_ORIGIN', `There is no preset "${change.preset}". Known: ${names}.`);
}

/** Error for removing an entry that is not in the list, or that only the core's data allows. */
function notListed(change: Change, ofCore: readonly OriginEntry[]): LocalError {
  if ('preset' in change)
    return new LocalError(
      'FOOTBRIDGE_ORIGIN',
      `No page of the preset "${change.preset}" may connect. "footbridge origins" lists those that may.`,
    );
  const { clientId, origin } = change;
  const why = ofCore.some((entry) => same(entry, change))
    ? 'the emulator itself allows it (rpc_origins of the application); change that there'
    : '"footbridge origins" lists those that may connect';
  return new LocalError('FOOTBRIDGE_ORIGIN', `No entry lets ${origin} speak for ${clientId}: ${why}.`);
}

function same(a: OriginEntry, b: OriginEntry): boolean {
  return a.clientId === b.clientId && a.origin === b.origin;
}

/** The list in the file; undefined for a missing or damaged file. Throws as {@link allowedOrigins} does. */
function readList(
  path: string,
  uid: number | undefined,
  onDamaged: OriginSources['onDamaged'],
): OriginList | undefined {
  try {
    return readChecked(path, {
      maxBytes: MAX_FILE_BYTES,
      uid,
      parse: (content) => createOriginList(contentBy(fileShape(), content).origins),
      onDamaged,
    });
  } catch (error) {
    const code = systemCode(error);
    // ENOTDIR means that the folder does not exist. The core reports that it cannot store its own files there.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const reason = systemErrorText(error);
    throw unusable(path, code === undefined ? reason : `it cannot be read: ${reason}`);
  }
}

function unusable(path: string, reason: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_CONFIG',
    `${path}: ${reason}. Mend the file, or remove it to allow no page.`,
  );
}
