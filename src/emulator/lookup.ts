import type { ChannelRecord } from './channels/records.ts';
import { SettingError } from './errors.ts';
import type { User } from './users/records.ts';
import type { Reading } from './world.ts';

/** Finds the one record that a person means by its id or its exact name. @throws SettingError */
function findNamed<R extends { readonly id: string }>(
  byId: R | undefined,
  named: readonly R[],
  text: string,
  kind: string,
): R {
  if (byId !== undefined) return byId;
  const [first, second] = named;
  const shown = JSON.stringify(text.slice(0, 64));
  if (first === undefined)
    throw new SettingError('', `there is no ${kind} ${shown}; give its id or exact name`);
  if (second === undefined) return first;
  const ids = named.map(({ id }) => id).join(', ');
  throw new SettingError('', `several ${kind}s are called ${shown}; give the id: ${ids}`);
}

/** The user a person means by id or username. @throws SettingError */
export function findPerson({ users }: Pick<Reading, 'users'>, text: string): User {
  return findNamed(users.get(text), [...users.by('username', text)], text, 'user');
}

/** The channel a person means by id or name, also one that the logged-in user cannot see. @throws SettingError */
export function findChannel(
  { channels }: Pick<Reading, 'channels'>,
  text: string,
  holds: (channel: ChannelRecord) => boolean,
): ChannelRecord {
  const named = [...channels].filter((channel) => channel.name === text && holds(channel));
  // An id that names a channel of another kind is told by what uses the channel.
  return findNamed(channels.get(text), named, text, 'channel');
}
