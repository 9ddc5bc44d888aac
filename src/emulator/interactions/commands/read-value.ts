import { didYouMean } from '../../../base/nearest.ts';
import type { Reading } from '../../api/world.ts';
import { mayView } from '../../guilds/channels/access.ts';
import { channelTypeName } from '../../guilds/channels/records.ts';
import { SettingError } from '../../kernel/errors.ts';
import { type CommandOption, OPTIONS } from './definition.ts';
import { takesFile } from './file-types.ts';

/** User and location of the input of a command. */
export interface ReadingContext {
  readonly tables: Reading;
  /** Id of the guild; undefined in private channels. */
  readonly guild?: string | undefined;
  /** Id of the user. */
  readonly user: string;
  /** Uploads the file of an option and returns the id of the attachment. Without this function, files are refused. */
  readonly attach?: (path: string, option: CommandOption) => string;
}

type Value = string | number | boolean;

/** Converts the text of an option into its value in an interaction. @throws SettingError with the option as its key. */
export function readValue(context: ReadingContext, option: CommandOption, text: string): Value {
  const { name, type, choices = [] } = option;
  if (choices.length > 0) return chosen(option, text);
  switch (type) {
    case OPTIONS.string:
      return inLength(option, text);
    case OPTIONS.integer:
    case OPTIONS.number:
      return inRange(option, text);
    case OPTIONS.boolean:
      if (text === 'true' || text === 'false') return text === 'true';
      throw new SettingError(name, `must be true or false, not ${quoted(text)}`);
    case OPTIONS.user:
      return userIn(context, text) ?? nobody(option, 'user', text, usernames(context));
    case OPTIONS.role:
      return roleIn(context, text) ?? nobody(option, 'role', text, roleNames(context));
    case OPTIONS.mentionable:
      return mentionable(context, option, text);
    case OPTIONS.channel:
      return channelIn(context, option, text);
    default:
      return attachment(context, option, text);
  }
}

function chosen({ name, choices = [] }: CommandOption, text: string): Value {
  const found = choices.find((one) => one.name === text) ?? choices.find((one) => String(one.value) === text);
  if (found !== undefined) return found.value;
  const names = choices.map((one) => one.name);
  throw new SettingError(
    name,
    `must be one of ${names.join(', ')}, not ${quoted(text)}.${didYouMean(text, names)}`,
  );
}

function inLength({ name, min_length = 0, max_length = 6000 }: CommandOption, text: string): string {
  if (text.length >= min_length && text.length <= max_length) return text;
  throw new SettingError(
    name,
    `must be of ${min_length} to ${max_length} characters, and is of ${text.length}`,
  );
}

function inRange({ name, type, min_value, max_value }: CommandOption, text: string): number {
  const isWhole = type === OPTIONS.integer;
  const value = Number(text);
  const isOne = isWhole
    ? /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(value)
    : /^-?\d{1,17}(\.\d{1,20})?$/.test(text) && Math.abs(value) <= 2 ** 53;
  if (!isOne) throw new SettingError(name, `must be a ${isWhole ? 'whole ' : ''}number, not ${quoted(text)}`);
  if (min_value !== undefined && value < min_value) {
    throw new SettingError(name, `must be at least ${min_value}, not ${value}`);
  }
  if (max_value !== undefined && value > max_value) {
    throw new SettingError(name, `must be at most ${max_value}, not ${value}`);
  }
  return value;
}

/** Id of a user, found by id, mention or username. */
function userIn({ tables }: ReadingContext, text: string): string | undefined {
  const id = /^<@!?(\d{1,20})>$/.exec(text)?.[1] ?? text;
  if (tables.users.has(id)) return id;
  const [named] = tables.users.by('username', text.replace(/^@/, ''));
  return named?.id;
}

/** Id of a role of the guild, found by id, mention or name. */
function roleIn({ tables, guild }: ReadingContext, text: string): string | undefined {
  if (guild === undefined) return undefined;
  const id = /^<@&(\d{1,20})>$/.exec(text)?.[1] ?? text;
  if (tables.roles.get(id)?.guild === guild) return id;
  const name = text.replace(/^@/, '');
  // The name of the role @everyone includes the `@`.
  const isMeant = (role: { readonly name: string }): boolean => role.name === name || role.name === text;
  return [...tables.roles.by('guild', guild)].find(isMeant)?.id;
}

function mentionable(context: ReadingContext, option: CommandOption, text: string): string {
  const [user, role] = [userIn(context, text), roleIn(context, text)];
  if (user !== undefined && role !== undefined && user !== role) {
    throw new SettingError(
      option.name,
      `${quoted(text)} is a user and a role; give the id: ${user}, ${role}`,
    );
  }
  const known = [...usernames(context), ...roleNames(context)];
  return user ?? role ?? nobody(option, 'user or role', text, known);
}

/** Id of a channel that the user can see in the guild, of a type that the option allows. */
function channelIn({ tables, guild, user }: ReadingContext, option: CommandOption, text: string): string {
  const id = /^<#(\d{1,20})>$/.exec(text)?.[1] ?? text;
  const seen = [...tables.channels.by('guild', guild ?? '')].filter((one) => mayView(tables, one, user));
  const takes = ({ type }: { readonly type: number }): boolean =>
    option.channel_types?.includes(type) !== false;
  const named = seen.filter(({ name }) => name === text.replace(/^#/, ''));
  const found = seen.find((one) => one.id === id) ?? named.find(takes) ?? named[0];
  if (found === undefined) {
    return nobody(
      option,
      'channel',
      text,
      seen.filter(takes).map(({ name }) => name),
    );
  }
  if (takes(found)) return found.id;
  const types = option.channel_types?.map((type) => channelTypeName({ type })).join(', ');
  throw new SettingError(
    option.name,
    `takes channels of type ${types}, and ${quoted(text)} is of type ${channelTypeName(found)}`,
  );
}

function attachment({ attach }: ReadingContext, option: CommandOption, text: string): string {
  const { name, file_types } = option;
  if (!takesFile(file_types, text)) {
    throw new SettingError(name, `takes files of type ${file_types?.join(', ')}, not ${quoted(text)}`);
  }
  if (attach === undefined) throw new SettingError(name, 'takes a file, and none can be sent here');
  return attach(text, option);
}

/** Maximum number of names that are searched for a similar name. */
const MAX_CANDIDATES = 1000;

function* usernames({ tables }: ReadingContext): Generator<string> {
  for (const { username } of tables.users) yield username;
}

function* roleNames({ tables, guild }: ReadingContext): Generator<string> {
  for (const { name } of tables.roles.by('guild', guild ?? '')) yield name;
}

function nobody({ name }: CommandOption, what: string, text: string, known: Iterable<string>): never {
  const names: string[] = [];
  for (const one of known) if (names.push(one) === MAX_CANDIDATES) break;
  throw new SettingError(name, `there is no ${what} ${quoted(text)} here.${didYouMean(text, names)}`);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}
