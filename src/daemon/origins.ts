import * as z from 'zod';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { adminOperationsFor } from '../base/admin-operation.ts';
import { LocalError, systemCode } from '../base/local-error.ts';
import { contentBy, type DamagedFile, damagedCopies, readChecked, writeChecked } from './checked-file.ts';
import {
  createOriginList,
  isOriginEntry,
  type OriginEntry,
  type OriginList,
  originPresets,
} from './origin-list.ts';

const changeArgs = () =>
  z.union([
    z.object({ preset: z.string().check(z.maxLength(64)) }),
    z.object({ clientId: z.string().check(z.maxLength(20)), origin: z.string().check(z.maxLength(300)) }),
  ]);

type Change = z.output<ReturnType<typeof changeArgs>>;

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
   * Adds an entry or a preset, and returns the whole list. Throws `LocalError` FOOTBRIDGE_ORIGIN for an invalid entry,
   * or FOOTBRIDGE_DATA when the list cannot be stored.
   */
  add(change: Change): readonly OriginEntry[];
  /** Removes an entry or a preset, and returns the remaining list. Throws the same errors as `add`. */
  remove(change: Change): readonly OriginEntry[];
}

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
  /** Called when the file is damaged. A damaged file allows no page and is moved aside. */
  readonly onDamaged: (damaged: DamagedFile) => void;
}

/**
 * Reads the list. Throws `LocalError` FOOTBRIDGE_CONFIG for a file that cannot be read or that another user may have
 * written, because no permission may be lost or invented.
 */
export function allowedOrigins({ path, uid, ofCore, onDamaged }: OriginSources): AllowedOrigins {
  let list = path === undefined ? createOriginList([]) : readList(path, uid, onDamaged);
  const coreEntries = (): readonly OriginEntry[] => (ofCore?.() ?? []).filter(isOriginEntry);
  const replace = (entries: readonly OriginEntry[]): OriginList => {
    const next = createOriginList(entries);
    // A longer list could not be read at the next start.
    if (next.entries.length > MAX_ENTRIES) {
      throw new LocalError(
        'FOOTBRIDGE_ORIGIN',
        `At most ${MAX_ENTRIES} origins are kept. Remove some first.`,
      );
    }
    // The file is replaced as a whole, so that a crash or a full disk leaves the old list in place.
    if (path !== undefined) save(path, { origins: next.entries });
    list = next;
    return list;
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
    add: (change) => replace([...list.entries, ...entriesOf(change)]).entries,
    remove: (change) => {
      const removed = entriesOf(change);
      const remaining = list.entries.filter((entry) => !removed.some((other) => same(entry, other)));
      // Throws for an invalid origin: it is a typing mistake, and not an entry that was removed earlier.
      createOriginList(removed);
      if (remaining.length === list.entries.length) throw notListed(change, coreEntries());
      return replace(remaining).entries;
    },
  };
}

const entries = () => z.array(z.object({ clientId: z.string(), origin: z.string() }));

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
    result: () => z.object({ origins: entries() }),
    run: ({ origins }, change) => ({ origins: origins.add(change) }),
  }),
  operation({
    name: 'origins.remove',
    summary: 'Take such a permission back; sessions that it let in stay',
    args: changeArgs,
    result: () => z.object({ origins: entries() }),
    run: ({ origins }, change) => ({ origins: origins.remove(change) }),
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

function readList(path: string, uid: number | undefined, onDamaged: OriginSources['onDamaged']): OriginList {
  try {
    const list = readChecked(path, {
      maxBytes: MAX_FILE_BYTES,
      uid,
      parse: (content) => createOriginList(contentBy(fileShape(), content).origins),
      onDamaged,
    });
    return list ?? createOriginList([]);
  } catch (error) {
    const code = systemCode(error);
    // ENOTDIR means that the folder does not exist, so the list is empty. The core reports that it cannot store its own
    // files in that folder.
    if (code === 'ENOENT' || code === 'ENOTDIR') return createOriginList([]);
    const reason = systemErrorText(error);
    throw unusable(path, code === undefined ? reason : `it cannot be read: ${reason}`);
  }
}

function save(path: string, content: object): void {
  try {
    writeChecked(path, content);
  } catch (cause) {
    const reason = systemErrorText(cause);
    throw new LocalError(
      'FOOTBRIDGE_DATA',
      `${path} cannot be written: ${reason}. Nothing was changed. Free space on its disk, or make its folder writable.`,
      { cause },
    );
  }
}

function unusable(path: string, reason: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_CONFIG',
    `${path}: ${reason}. Mend the file, or remove it to allow no page.`,
  );
}
