import type { HasAuthorizations } from '../../api/caller.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { User } from '../../users/records.ts';
import { KINDS, OPTIONS } from '../commands/definition.ts';
import { type OptionValue, readOptions } from '../commands/read-options.ts';
import type { CommandRecord } from '../commands/records.ts';
import { findCommand, UnregisteredCommand } from '../commands/visibility.ts';
import type { Resolves } from '../records.ts';
import { userIn } from './choices.ts';
import { type Filled, oneText, quoted } from './input-values.ts';
import { defaultLocations, locationFor, namedLocation, type UseLocation } from './location.ts';

/** Input of a user for a command. */
export interface Using {
  /** Name of a command, such as `/berth book` with its subcommand, or the name of a context menu command. */
  readonly command: string;
  /** Id or name of a channel; default: the first channel that both the user and the application can see. */
  readonly channel?: string | undefined;
  /** Target of a context menu command: a user by id or name, or a message by id. */
  readonly target?: string | undefined;
}

/** A command that the input names, and the location of its use. */
export interface FoundUse {
  readonly location: UseLocation;
  readonly command: CommandRecord;
  /** Names of subcommands. */
  readonly path: readonly string[];
  readonly target: string | undefined;
}

/** Services that these functions need. */
type Needs = Base & HasApplications & HasAuthorizations;

/**
 * Finds the command and the location of a use. @throws SettingError with the reason why no command matches, or why its
 * use is not allowed
 */
export function findUse(platform: Needs, application: string, user: User, using: Using): FoundUse {
  const { tables } = platform.world;
  const text = using.command.trim();
  const message = tables.messages.get(using.target ?? '');
  const { kind, name, path } = meant(text, using.target, message !== undefined);
  const find = (location: UseLocation): FoundUse => ({
    location,
    command: foundOf(platform, { application, channel: location.id, user: user.id }, name, kind),
    path,
    target: kind === KINDS.message ? message?.id : targetIn(platform, user, location, using.target),
  });
  if (message !== undefined && using.channel === undefined) {
    return find(locationFor(tables, user, message.channel));
  }
  if (using.channel !== undefined) {
    const location = namedLocation(platform, user, using.channel);
    if (message === undefined || message.channel === location.id) return find(location);
    throw new SettingError('target', `message ${message.id} is in another channel`);
  }
  const bot = tables.applications.get(application)?.bot_user ?? application;
  let first: unknown;
  for (const location of defaultLocations(tables, user, bot)) {
    try {
      return find(location);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      first ??= error;
    }
  }
  throw (
    first ??
    new SettingError(
      'channel',
      `${user.username} sees no channel to use it in; add them to a guild that has one`,
    )
  );
}

function meant(text: string, target: string | undefined, isMessage: boolean) {
  if (text.startsWith('/')) {
    if (target !== undefined) {
      throw new SettingError(
        'target',
        `${quoted(text)} is typed; only commands for users and messages have a target`,
      );
    }
    const [first = '', ...path] = text.split(/\s+/);
    return { kind: KINDS.chat_input, name: first.slice(1), path };
  }
  const kind = target === undefined ? KINDS.primary_entry_point : isMessage ? KINDS.message : KINDS.user;
  return { kind, name: text, path: [] };
}

function foundOf(
  platform: Needs,
  present: Parameters<typeof findCommand>[1],
  name: string,
  kind: number,
): CommandRecord {
  try {
    return findCommand(platform, present, name, kind);
  } catch (error) {
    if (!(error instanceof SettingError) || kind !== KINDS.primary_entry_point) throw error;
    // The text could name a command of any type, so the error explains the syntax of the other types.
    const how = `a command is written ${quoted(`/${name}`)}, and one for users or messages needs a target`;
    throw new UnregisteredCommand('', `there is no entry point ${quoted(name)}; ${how}`);
  }
}

function targetIn(
  { world }: Base,
  user: User,
  location: UseLocation,
  target: string | undefined,
): string | undefined {
  if (target === undefined) return undefined;
  return userIn({ tables: world.tables, user, location }, 'target', target);
}

/** Parsed options of a user. */
export interface ReadUse {
  readonly options: readonly OptionValue[];
  /** Names of the options with files, each with the id of its file. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Parses the options; `fileIds` has the ids of stored files, and before that placeholders are used.
 * @throws SettingError for input that the client would not send
 */
export function readUse(
  { world: { tables } }: Base,
  user: User,
  { location, command, path }: FoundUse,
  input: Filled,
  { fileIds, focused }: { readonly fileIds?: ReadonlyMap<string, string>; readonly focused?: string } = {},
): ReadUse {
  const files = new Map<string, string>();
  const texts = Object.entries(input.values).map(([key, value]) => [key, oneText(key, value) ?? ''] as const);
  const named = Object.entries(input.files)
    .filter(([key]) => !Object.hasOwn(input.values, key))
    .map(([key, [file]]) => [key, file?.filename ?? ''] as const);
  const options = readOptions(
    {
      tables,
      user: user.id,
      guild: location.guild ?? undefined,
      attach: (_text, { name }) => {
        if (!Object.hasOwn(input.files, name)) throw new SettingError(name, `takes a file: ${name}=@PATH`);
        const id = fileIds?.get(name) ?? '0';
        files.set(name, id);
        return id;
      },
    },
    command,
    {
      path,
      texts: Object.fromEntries([...texts, ...named]),
      ...(focused === undefined ? {} : { focused }),
    },
  );
  return { options, files };
}

/** Data of a command interaction. */
export function commandData({ command, target }: FoundUse, options: readonly OptionValue[]): object {
  const { id, name, type, guild } = command;
  return {
    id,
    name,
    type,
    ...(options.length === 0 ? {} : { options }),
    ...(guild === null ? {} : { guild_id: guild }),
    ...(target === undefined ? {} : { target_id: target }),
  };
}

/** Ids of the objects that `resolved` describes. */
export function resolvedBy(
  { world: { tables } }: Base,
  { command, target }: FoundUse,
  options: readonly OptionValue[],
): Resolves {
  const lists: Readonly<Record<number, keyof Resolves>> = {
    [OPTIONS.user]: 'users',
    [OPTIONS.role]: 'roles',
    [OPTIONS.channel]: 'channels',
    [OPTIONS.attachment]: 'attachments',
  };
  const found = new Map<keyof Resolves, Set<string>>();
  const add = (list: keyof Resolves, id: string): void => {
    found.set(list, (found.get(list) ?? new Set()).add(id));
  };
  if (target !== undefined) add(command.type === KINDS.message ? 'messages' : 'users', target);
  for (const { type, value, focused } of leavesOf(options)) {
    if (typeof value !== 'string' || focused === true) continue;
    const list = type === OPTIONS.mentionable ? (tables.users.has(value) ? 'users' : 'roles') : lists[type];
    if (list !== undefined) add(list, value);
  }
  return Object.fromEntries([...found].map(([list, ids]) => [list, [...ids]]));
}

function* leavesOf(options: readonly OptionValue[]): Generator<OptionValue> {
  for (const one of options) {
    if (one.options === undefined) yield one;
    else yield* leavesOf(one.options);
  }
}
