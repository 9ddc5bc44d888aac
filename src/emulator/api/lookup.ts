import { didYouMean } from '../../base/nearest.ts';
import { type ChannelRecord, channelTypeName } from '../guilds/channels/records.ts';
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
export function nearName(text: string, known: Iterable<{ readonly name: string }>): string {
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
