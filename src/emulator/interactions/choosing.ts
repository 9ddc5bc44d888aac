import { didYouMean } from '../../../platform/nearest.ts';
import { mayView } from '../channels/access.ts';
import { SettingError } from '../errors.ts';
import { isIn } from '../guilds/membership.ts';
import type { Reading } from '../world.ts';
import type { Resolves } from './records.ts';

/** Who chooses, and where. */
export interface Chooser {
  readonly tables: Reading;
  /** Id of whoever it is. */
  readonly user: string;
  /** Id of the guild; none in private. */
  readonly guild?: string | undefined;
}

/** Something to choose from, of a message or of a modal. */
export interface Choosable {
  readonly type: number;
  readonly custom_id: string;
  readonly options?: readonly { readonly label: string; readonly value: string }[] | undefined;
  readonly channel_types?: readonly number[] | undefined;
}

/** What was chosen. */
export interface Chosen {
  readonly values: readonly string[];
  readonly resolves: Resolves;
}

const USERS = 5;
const ROLES = 6;
const MENTIONABLES = 7;
const CHANNELS = 8;

/**
 * The values of what was chosen: of options their values, which may be named by their labels, of anything else ids.
 * @throws SettingError with the custom id as its key.
 */
export function chosenOf(chooser: Chooser, from: Choosable, given: readonly string[]): Chosen {
  const { custom_id: key, options } = from;
  const values = options === undefined ? given : given.map((text) => optionOf(key, options, text));
  if (new Set(values).size < values.length) throw new SettingError(key, 'names something twice');
  const resolves = options === undefined ? resolvedBy(chooser, from, values) : {};
  return { values, resolves };
}

/** @throws SettingError for fewer or more than there have to be. */
export function checkCount(key: string, count: number, least: number, most: number): void {
  if (count >= least && count <= most) return;
  const wanted = least === most ? `${least}` : `${least} to ${most}`;
  throw new SettingError(key, `takes ${wanted}, not ${count}`);
}

function optionOf(key: string, options: NonNullable<Choosable['options']>, text: string): string {
  const found = options.find(({ value }) => value === text) ?? options.find(({ label }) => label === text);
  if (found !== undefined) return found.value;
  const names = options.map(({ value }) => value);
  const shown = JSON.stringify(text.slice(0, 40));
  throw new SettingError(
    key,
    `has no option ${shown}; give one of ${names.join(', ')}.${didYouMean(text, names)}`,
  );
}

/** Of what kind each id is. @throws SettingError for one that cannot be chosen. */
function resolvedBy(
  chooser: Chooser,
  { type, custom_id: key, channel_types: types }: Choosable,
  ids: readonly string[],
): Resolves {
  const { tables, guild } = chooser;
  const isUser = (id: string): boolean =>
    tables.users.has(id) && (guild === undefined || isIn(tables, guild, id));
  const isRole = (id: string): boolean => guild !== undefined && tables.roles.get(id)?.guild === guild;
  const isChannel = (id: string): boolean => {
    const channel = tables.channels.get(id);
    if (channel === undefined || channel.guild !== guild || !mayView(tables, channel, chooser.user))
      return false;
    return types === undefined || types.length === 0 || types.includes(channel.type);
  };
  const users = type === USERS || type === MENTIONABLES ? ids.filter(isUser) : [];
  const roles = type === ROLES || type === MENTIONABLES ? ids.filter(isRole) : [];
  const channels = type === CHANNELS ? ids.filter(isChannel) : [];
  const bad = ids.find((id) => ![...users, ...roles, ...channels].includes(id));
  if (bad !== undefined) {
    throw new SettingError(
      key,
      `${JSON.stringify(bad.slice(0, 40))} is nothing that can be chosen here; give an id`,
    );
  }
  return {
    ...(users.length === 0 ? {} : { users }),
    ...(roles.length === 0 ? {} : { roles }),
    ...(channels.length === 0 ? {} : { channels }),
  };
}
