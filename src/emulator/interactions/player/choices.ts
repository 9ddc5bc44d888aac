import { findUser } from '../../api/lookup.ts';
import type { Reading } from '../../api/world.ts';
import { mayView } from '../../guilds/channels/access.ts';
import type { ChannelRecord } from '../../guilds/channels/records.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { User } from '../../users/records.ts';
import type { Component, Resolves } from '../records.ts';
import { STRING_SELECT } from './component.ts';
import { listed, quoted } from './input-values.ts';
import { type UseLocation, withoutSigil } from './location.ts';
import { isThere } from './there.ts';

/** User who chooses, and the location of the choice. */
export interface Chooser {
  readonly tables: Reading;
  readonly user: User;
  readonly location: UseLocation;
}

/** Chosen values, and the ids of the objects for `resolved`. */
export interface Chosen {
  readonly values: readonly string[];
  readonly resolves: Resolves;
}

/** One option of a string select, a radio group or a checkbox group. */
export interface ListedOption {
  readonly label: string;
  readonly value: string;
  readonly default?: boolean;
}

const USERS = 5;
const ROLES = 6;
const MENTIONABLES = 7;

/**
 * Resolves a user's choices in a select: by value or label of its options, or by id or name of users, roles and
 * channels. `none` alone chooses nothing, unless an option has this name. @throws SettingError for an unknown choice,
 * and for too few or too many choices
 */
export function choose(chooser: Chooser, select: Component, choices: readonly string[]): Chosen {
  const key = select.custom_id ?? '';
  const chosen =
    select.type === STRING_SELECT ? fromList(key, select, choices) : named(chooser, select, choices);
  checkCount(key, select, chosen.values.length);
  return chosen;
}

/** Listed options of a string select, a radio group or a checkbox group. */
export function optionsOf({ options }: Component): readonly ListedOption[] {
  return Array.isArray(options) ? (options as readonly ListedOption[]) : [];
}

/** Value of an option, found by value or label. @throws SettingError */
export function optionValue(key: string, options: readonly ListedOption[], text: string): string {
  const found = options.find(({ value }) => value === text) ?? options.find(({ label }) => label === text);
  if (found !== undefined) return found.value;
  const known = listed(options.map(({ value }) => quoted(value)));
  throw new SettingError(key, `has no option ${quoted(text)}; choose from ${known}`);
}

function isNone(choices: readonly string[]): boolean {
  return choices.length === 1 && choices[0] === 'none';
}

function fromList(key: string, select: Component, choices: readonly string[]): Chosen {
  const options = optionsOf(select);
  const isOption = (text: string): boolean =>
    options.some(({ value, label }) => value === text || label === text);
  const wanted = isNone(choices) && !isOption('none') ? [] : choices;
  return { values: each(key, wanted, (text) => optionValue(key, options, text)), resolves: {} };
}

function named(chooser: Chooser, select: Component, choices: readonly string[]): Chosen {
  const key = select.custom_id ?? '';
  const wanted = isNone(choices) ? [] : choices;
  const found: { readonly users: string[]; readonly roles: string[]; readonly channels: string[] } = {
    users: [],
    roles: [],
    channels: [],
  };
  const values = each(key, wanted, (text) => {
    const { list, id } = namedOne(chooser, select, text);
    found[list].push(id);
    return id;
  });
  const resolves = Object.fromEntries(Object.entries(found).filter(([, ids]) => ids.length > 0));
  return { values, resolves };
}

function namedOne(
  chooser: Chooser,
  select: Component,
  text: string,
): { readonly list: 'users' | 'roles' | 'channels'; readonly id: string } {
  const key = select.custom_id ?? '';
  switch (select.type) {
    case USERS:
      return { list: 'users', id: userIn(chooser, key, text) };
    case ROLES:
      return { list: 'roles', id: roleIn(chooser, key, text) };
    case MENTIONABLES: {
      const role = findRole(chooser, text);
      return role === undefined
        ? { list: 'users', id: userIn(chooser, key, text) }
        : { list: 'roles', id: role };
    }
    default:
      return { list: 'channels', id: channelIn(chooser, select, text) };
  }
}

/**
 * Id of a user whom the client lists at this location: a member of the guild, or a recipient of the private channel.
 * @throws SettingError
 */
export function userIn({ tables, location }: Chooser, key: string, text: string): string {
  const user = findUser(tables, withoutSigil(text, '@'));
  if (isThere(tables, location, user.id)) return user.id;
  throw new SettingError(
    key,
    `${user.username} is not in ${location.guild === null ? location.name : 'the guild'}`,
  );
}

function findRole({ tables, location }: Chooser, text: string): string | undefined {
  if (location.guild === null) return undefined;
  const roles = [...tables.roles.by('guild', location.guild)];
  const name = withoutSigil(text, '@');
  return (
    roles.find(({ id }) => id === text) ?? roles.find((role) => role.name === name || role.name === text)
  )?.id;
}

function roleIn(chooser: Chooser, key: string, text: string): string {
  const found = findRole(chooser, text);
  if (found !== undefined) return found;
  const where =
    chooser.location.guild === null ? 'there are no roles in private' : 'the guild has no such role';
  throw new SettingError(key, `${quoted(text)}: ${where}; give its id or exact name`);
}

function channelIn({ tables, user, location }: Chooser, select: Component, text: string): string {
  const key = select.custom_id ?? '';
  if (location.guild === null) throw new SettingError(key, 'there are no channels to choose from in private');
  const types = Array.isArray(select['channel_types']) ? (select['channel_types'] as readonly number[]) : [];
  const name = withoutSigil(text, '#');
  const isOffered = (channel: ChannelRecord): boolean =>
    mayView(tables, channel, user.id) && (types.length === 0 || types.includes(channel.type));
  const all = [...tables.channels.by('guild', location.guild)];
  const found =
    all.filter(({ id }) => id === text)[0] ?? all.find((one) => one.name === name && isOffered(one));
  if (found !== undefined && isOffered(found)) return found.id;
  const wanted = types.length === 0 ? '' : ` of a requested type (${types.join(', ')})`;
  throw new SettingError(key, `there is no channel ${quoted(text)}${wanted} that ${user.username} sees`);
}

function each(key: string, choices: readonly string[], find: (text: string) => string): readonly string[] {
  const values = choices.map(find);
  const twice = values.find((value, index) => values.indexOf(value) < index);
  if (twice !== undefined) throw new SettingError(key, `${quoted(twice)} is chosen twice`);
  return values;
}

/**
 * Checks the number of chosen values. @throws SettingError for too few or too many values; zero is valid for an
 * optional field.
 */
export function checkCount(key: string, component: Component, count: number, defaultMax?: number): void {
  if (count === 0 && component['required'] === false) return;
  const { min_values: min = 1, max_values = defaultMax ?? 1 } = component as {
    readonly min_values?: number;
    readonly max_values?: number;
  };
  if (count >= min && count <= max_values) return;
  const wanted = min === max_values ? String(min) : `${min} to ${max_values}`;
  throw new SettingError(key, `takes ${wanted}, not ${count}`);
}
