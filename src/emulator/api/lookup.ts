import { didYouMean } from '../../base/nearest.ts';
import type { ApplicationRecord } from '../applications/records.ts';
import { type ChannelRecord, channelTypeName, hasText, hasVoice } from '../guilds/channels/records.ts';
import { SettingError } from '../kernel/errors.ts';
import { kinds } from '../schema.ts';
import type { User } from '../users/records.ts';
import type { Reading } from './world.ts';

/** Finds the single record with an id or an exact name. @throws SettingError */
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
    /** Text that locates a record, to distinguish records of the same name. */
    readonly whereOf?: (record: R) => string | undefined;
  },
): R {
  if (byId !== undefined) return byId;
  const [first, second] = named;
  const quotedText = JSON.stringify(text.slice(0, 64));
  if (first === undefined) {
    const other = ofOtherKind(tables, text);
    const meant = other === '' ? nearName(text, known) : '';
    throw new SettingError(
      '',
      `there is no ${kind} ${quotedText}${other}; give its id or exact name.${meant}`,
    );
  }
  if (second === undefined) return first;
  const ids = named
    .map((record) => {
      const where = whereOf(record);
      return where === undefined ? record.id : `${record.id} (in ${JSON.stringify(where)})`;
    })
    .join(', ');
  throw new SettingError('', `several ${kind}s are called ${quotedText}; give the id: ${ids}`);
}

/** Maximum number of names that are compared for a suggestion; it bounds the time of the search. */
const MAX_COMPARED_NAMES = 2_000;

/** Maximum number of names in a list of the known ones. */
const MAX_LISTED_NAMES = 8;

/** The text ` Did you mean "…"?` if a known name is similar; otherwise the known names where they are few. */
function nearName(text: string, known: Iterable<{ readonly name: string }>): string {
  const names: string[] = [];
  for (const { name } of known) if (names.push(name) === MAX_COMPARED_NAMES) break;
  const isShort = names.length > 0 && names.length <= MAX_LISTED_NAMES;
  return didYouMean(text, names) || (isShort ? ` There are: ${names.join(', ')}.` : '');
}

/** Tables whose records operators name by id. */
type IdTables = Pick<Reading, 'users' | 'applications' | 'guilds' | 'channels' | 'messages'>;

/**
 * Text that names the kind of record that an id belongs to, for an error where another kind was expected; empty for an
 * id of no record.
 */
export function ofOtherKind(tables: IdTables, id: string): string {
  const names = ['users', 'applications', 'guilds', 'channels', 'messages'] as const;
  const name = names.find((one) => tables[one].has(id));
  const { noun } = kinds[name ?? 'users'];
  return name === undefined ? '' : `, which is the id of ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** The user with an id or username. @throws SettingError */
export function findUser(tables: IdTables, text: string): User {
  const { users } = tables;
  const known = named(users);
  return findNamed(tables, users.get(text), [...users.by('username', text)], text, { kind: 'user', known });
}

/** The channel with an id or a name, including channels that the logged-in user cannot see. @throws SettingError */
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
    const quotedText = JSON.stringify(text.slice(0, 64));
    const what = `there is no channel ${quotedText} of the kind that this takes`;
    throw new SettingError('', `${what}: that is a channel of type ${channelTypeName(other)}.`);
  }
  // The kind is checked only for names. For an id, the code that uses the channel refuses a channel of another kind.
  return findNamed(tables, channels.get(text), same, text, {
    kind: 'channel',
    known,
    whereOf: ({ guild }) => tables.guilds.get(guild)?.name,
  });
}

function* named(users: Iterable<User>): Generator<{ readonly name: string }> {
  for (const { username } of users) yield { name: username };
}

/** Data sources of a lookup. */
interface LookupOptions {
  readonly tables: Reading;
  /** Finds an application by id. Any snowflake is an application unless the fixture is strict. */
  readonly application: (clientId: string) => ApplicationRecord | undefined;
  /** Applications of the fixture, and applications that have connected. */
  readonly applications: () => Iterable<ApplicationRecord>;
}

/** Finds records by id or name. */
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

  /** A user by id or username; without `text`, the logged-in user. @throws SettingError */
  user(text?: string): User {
    return text === undefined ? this.me() : findUser(this.#options.tables, text);
  }

  /** The id with its user's username; the username is null for an id without a user. */
  namedUser(id: string): { readonly id: string; readonly username: string | null } {
    return { id, username: this.#options.tables.users.get(id)?.username ?? null };
  }

  /**
   * The id of a text channel of a guild, given by id or name, or of a private channel, given by id. @throws
   * SettingError
   */
  textChannel(text: string): string {
    return this.isPrivate(text) ? text : findChannel(this.#options.tables, text, hasText).id;
  }

  /** A voice channel of a guild by id or name. @throws SettingError */
  voiceChannel(text: string): ChannelRecord {
    return findChannel(this.#options.tables, text, hasVoice);
  }

  /** The id of any channel, given by id or name. @throws SettingError */
  channel(text: string): string {
    return this.isPrivate(text) ? text : findChannel(this.#options.tables, text, () => true).id;
  }

  /** Whether the text is the id of a private channel. */
  isPrivate(text: string): boolean {
    return this.#options.tables.private_channels.has(text);
  }

  /** The name of the application with an id; null for an unknown application or one without a name. */
  applicationName(id: string): string | null {
    return this.#options.application(id)?.name ?? null;
  }

  /** The application with an id or exact name. @throws Error with a plain message. */
  application(text: string): ApplicationRecord {
    const { tables, application, applications } = this.#options;
    // Any id may belong to an unlisted application, unless it belongs to another record.
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
