import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isLocalError, LocalError } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { amount, printable } from '../../base/text.ts';
import { PRESENCE_KEY } from '../../daemon/config/file.ts';
import { readPresence } from '../../daemon/config/presence.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import type { PresenceView } from '../../daemon/presence/view.ts';
import { bridgePlaces } from '../bridge-places.ts';
import { type EditedFile, isSameFile, openConfiguration, saveConfiguration } from '../configuration/file.ts';
import { withoutTable, withTable } from '../configuration/tables.ts';
import { daemonClient, printJson, printResult } from '../daemon-client.ts';
import { appName, entryOf, type PresenceList, unknownApp } from './entry.ts';

const PRESENCE_TABLES = { key: PRESENCE_KEY, noun: 'rule' } as const;

/** How a command is run. */
export interface RuleOptions {
  readonly config: string | undefined;
  readonly json: boolean;
}

/** App that a rule names: by its id where it is known. */
interface NamedApp {
  readonly app: string;
  readonly name: string | undefined;
}

/** Writes a rule that hides an app, or shows it, in place of an earlier one of these commands. */
export async function writeVisibility(
  word: string,
  hide: boolean,
  options: RuleOptions,
  io: Io,
): Promise<number> {
  const app = resolveApp(word, await connected(io));
  const file = await openRules(options, io);
  const before = withoutSimple(file, 'hide', (name) => name === app.app || name === app.name);
  const text = withTable({ ...file, text: before }, PRESENCE_TABLES, { app: app.app, hide }, app.name);
  return save(file, text, `${hide ? 'Hidden' : 'Shown'}: ${labelOf(app)}`, options, io);
}

/** Writes rules that rank apps in this order, in place of the earlier ranks of this command. */
export async function writeOrder(words: readonly string[], options: RuleOptions, io: Io): Promise<number> {
  const entries = await connected(io);
  const apps = words.map((word) => resolveApp(word, entries));
  const file = await openRules(options, io);
  let text = withoutSimple(file, 'rank', () => true);
  for (const [at, { app, name }] of apps.entries())
    text = withTable({ ...file, text }, PRESENCE_TABLES, { app, rank: apps.length - at }, name);
  const done = apps.length === 0 ? 'No app is preferred' : `Preferred: ${apps.map(labelOf).join(', ')}`;
  return save(file, text, done, options, io);
}

/** Lets the running bridge read the rules of its configuration file again. */
export async function reloadRules(json: boolean, io: Io): Promise<number> {
  const result = (await daemonClient(io).call('presence.reload')) as { readonly rules: number };
  return printResult(io, json, result, () => `Applied: ${amount(result.rules, 'rule')}\n`);
}

/** Removes the rules that only name an app and have one action, as these commands write them. */
function withoutSimple(file: EditedFile, action: 'hide' | 'rank', isMeant: (app: string) => boolean): string {
  let { text } = file;
  for (;;) {
    const tables: unknown = file.parse(text)[PRESENCE_KEY];
    const at = (Array.isArray(tables) ? tables : []).findIndex((table: unknown) => {
      const { app, ...rest } = Object(table) as Readonly<Record<string, unknown>>;
      return typeof app === 'string' && isMeant(app) && Object.keys(rest).join() === action;
    });
    if (at === -1) return text;
    text = withoutTable({ ...file, text }, PRESENCE_TABLES, at);
  }
}

function resolveApp(word: string, entries: readonly PresenceView[]): NamedApp {
  const found = entryOf(word, entries);
  if (found !== undefined) return { app: found.clientId, name: printable(appName(found)) };
  if (word.trim() === '') throw new LocalError('FOOTBRIDGE_PRESENCE', 'The name of an app cannot be empty.');
  if (didYouMean(word, entries.map(appName)) !== '') throw unknownApp(word, entries);
  return { app: word, name: undefined };
}

/** What the user reads of an app: a name that none has now may be mistyped, and the rule is written all the same. */
function labelOf({ app, name }: NamedApp): string {
  return name ?? `${app}, which shows nothing now`;
}

/** The apps of the running bridge; none without a bridge. */
async function connected(io: Io): Promise<readonly PresenceView[]> {
  try {
    return ((await daemonClient(io).call('presence.list')) as PresenceList).entries;
  } catch (error) {
    if (isLocalError(error) && error.code === 'FOOTBRIDGE_NO_DAEMON') return [];
    throw error;
  }
}

/** The configuration file that was named, or that of the running bridge, or the usual one. */
async function openRules({ config }: RuleOptions, io: Io): Promise<EditedFile> {
  const named = config ?? (io.env['FOOTBRIDGE_CONFIG'] || undefined);
  const running = named === undefined ? (await bridgePlaces(io.env))?.config : undefined;
  // The usual file is created with its folder.
  const isThere = running !== undefined && running !== null && existsSync(dirname(running));
  return openConfiguration(io.env, named ?? (isThere ? running : undefined), { creates: true });
}

/** Saves valid rules, and lets the running bridge read them. */
async function save(
  file: EditedFile,
  text: string,
  done: string,
  { json }: RuleOptions,
  io: Io,
): Promise<number> {
  const tables: unknown = file.parse(text)[PRESENCE_KEY] ?? [];
  await readPresence(tables, file.path, text);
  saveConfiguration(file, text);
  const places = await bridgePlaces(io.env);
  const isRead =
    places?.config !== undefined && places.config !== null && isSameFile(places.config, file.path);
  if (isRead) await daemonClient(io).call('presence.reload');
  if (json) printJson(io, { done, file: file.path, running: places !== undefined, applied: isRead });
  else io.out(`${printable(done)} (written to ${printable(file.path)})\n`);
  if (isRead) return ExitCode.OK;
  const reads = places?.config ?? 'no file';
  const reason =
    places === undefined
      ? 'no bridge runs; the next one reads it'
      : `the running bridge reads ${printable(reads)}`;
  io.err(`footbridge: nothing changes now: ${reason}\n`);
  return places?.config ? ExitCode.FINDINGS : ExitCode.OK;
}
