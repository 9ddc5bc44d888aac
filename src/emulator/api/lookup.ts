import { didYouMean } from '../../base/nearest.ts';
import type { ApplicationRecord } from '../applications/records.ts';
import { type ChannelRecord, channelTypeName, hasText, hasVoice } from '../guilds/channels/records.ts';
import { SettingError } from '../kernel/errors.ts';
import { kinds } from '../schema.ts';
import type { User } from '../users/records.ts';
import type { Reading } from './world.ts';

/** Finds the one record that a person means by its id or its exact name. @throws SettingError */
function findNamed<R extends { readonly id: string }>(
  tables: IdTables,
  byId: R | undefined,
  named: readonly R[],
  text: string,
  {
    kind,
    known,
    whereOf = () => undefined,
  }: {
    readonly kind: string;
    readonly known: Iterable<{ readonly name: string }>;
    /** Where a record is, for people who have to tell several apart. */
    readonly whereOf?: (record: R) => string | undefined;
  },
): R {
  if (byId !== undefined) return byId;
  const [first, second] = named;
  const shown = JSON.stringify(text.slice(0, 64));
  if (first === undefined) {
    const other = ofOtherKind(tables, text);
    const meant = other === '' ? nearName(text, known) : '';
    throw new SettingError('', `there is no ${kind} ${shown}${other}; give its id or exact name.${meant}`);
  }
  if (second === undefined) return first;
  const ids = named
    .map((record) => {
      const where = whereOf(record);
      return where === undefined ? record.id : `${record.id} (in ${JSON.stringify(where)})`;
    })
    .join(', ');
  throw new SettingError('', `several ${kind}s are called ${shown}; give the id: ${ids}`);
}

/** Names that are looked through for the one that was meant: each costs time. */
const MOST_LOOKED_AT = 2_000;

/** ` Did you mean "…"?` for a text that is nobody's name, or nothing. */
function nearName(text: string, known: Iterable<{ readonly name: string }>): string {
  const names: string[] = [];
  for (const { name } of known) if (names.push(name) === MOST_LOOKED_AT) break;
  return didYouMean(text, names);
}

/** Tables whose records people name by id. */
type IdTables = Pick<Reading, 'users' | 'applications' | 'guilds' | 'channels' | 'messages'>;

/** Says whose id it is that was given for another; empty when it is nobody's. */
export function ofOtherKind(tables: IdTables, id: string): string {
  const names = ['users', 'applications', 'guilds', 'channels', 'messages'] as const;
  const name = names.find((one) => tables[one].has(id));
  const { noun } = kinds[name ?? 'users'];
  return name === undefined ? '' : `, which is the id of ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** The user a person means by id or username. @throws SettingError */
export function findPerson(tables: IdTables, text: string): User {
  const { users } = tables;
  const known = named(users);
  return findNamed(tables, users.get(text), [...users.by('username', text)], text, { kind: 'user', known });
}

/** The channel a person means by id or name, also one that the logged-in user cannot see. @throws SettingError */
export function findChannel(
  tables: IdTables,
  text: string,
  holds: (channel: ChannelRecord) => boolean,
): ChannelRecord {
  const { channels } = tables;
  const known = [...channels].filter(holds);
  const same = known.filter(({ name }) => name === text);
  const other = same.length === 0 && !channels.has(text) && [...channels].find(({ name }) => name === text);
  if (other) {
    const shown = JSON.stringify(text.slice(0, 64));
    const what = `there is no channel ${shown} of the kind that this takes`;
    throw new SettingError('', `${what}: that is a channel of type ${channelTypeName(other)}.`);
  }
  // An id that names a channel of another kind is told by what uses the channel.
  return findNamed(tables, channels.get(text), same, text, {
    kind: 'channel',
    known,
    whereOf: ({ guild }) => tables.guilds.get(guild)?.name,
  });
}

function* named(users: Iterable<User>): Generator<{ readonly name: string }> {
  for (const { username } of users) yield { name: username };
}

/** What is looked up besides the tables. */
interface LookupOptions {
  readonly tables: Reading;
  /** Any snowflake is an application unless the fixture is strict. */
  readonly application: (clientId: string) => ApplicationRecord | undefined;
  /** Those that are written down, and those that were seen. */
  readonly applications: () => Iterable<ApplicationRecord>;
}

/** Finds what a person means by an id or a name. */
export class Lookup {
  readonly #options: LookupOptions;

  constructor(options: LookupOptions) {
    this.#options = options;
  }

  /** The logged-in user. */
  me(): User {
    const { tables } = this.#options;
    return tables.users.get(tables.me.value) as User;
  }

  /** A user by id or username; without a text the logged-in one. @throws SettingError */
  user(text?: string): User {
    return text === undefined ? this.me() : findPerson(this.#options.tables, text);
  }

  /** Who an id means, with the username as far as there is one. */
  shown(id: string): { readonly id: string; readonly username: string | null } {
    return { id, username: this.#options.tables.users.get(id)?.username ?? null };
  }

  /** A channel of a guild where people write, by id or name, or a private one by id. @throws SettingError */
  textChannel(text: string): string {
    return this.isPrivate(text) ? text : findChannel(this.#options.tables, text, hasText).id;
  }

  /** A channel of a guild where people talk, by id or name. @throws SettingError */
  voiceChannel(text: string): ChannelRecord {
    return findChannel(this.#options.tables, text, hasVoice);
  }

  /** Any channel, by id or name. @throws SettingError */
  channel(text: string): string {
    return this.isPrivate(text) ? text : findChannel(this.#options.tables, text, () => true).id;
  }

  /** Whether it is the id of a private channel. */
  isPrivate(text: string): boolean {
    return this.#options.tables.private_channels.has(text);
  }

  /** The name of an application that was named by its id; null where it has none. */
  applicationName(id: string): string | null {
    return this.#options.application(id)?.name ?? null;
  }

  /** The application that a person means by id or exact name. Throws an Error with a plain message. */
  application(text: string): ApplicationRecord {
    const { tables, application, applications } = this.#options;
    // An application that nobody has written down is anybody's guess, but not what has another meaning here.
    const other = tables.applications.has(text) ? '' : ofOtherKind(tables, text);
    const all = [...applications()];
    const found = (other === '' ? application(text) : undefined) ?? all.find(({ name }) => name === text);
    if (found !== undefined) return found;
    const meant = other === '' ? nearName(text, all) : '';
    throw new Error(
      `There is no application ${JSON.stringify(text)}${other}; give its id or exact name.${meant}`,
    );
  }
}
