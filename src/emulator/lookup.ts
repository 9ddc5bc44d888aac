import { SettingError } from './errors.ts';
import type { Fixture, FixtureChannel, User } from './fixture/fixture.ts';

/** Finds the one record that a person means by its id or its exact name. @throws SettingError */
function findNamed<R extends { readonly id: string }>(
  records: readonly R[],
  text: string,
  nameOf: (record: R) => string,
  kind: string,
): R {
  const byId = records.find(({ id }) => id === text);
  if (byId !== undefined) return byId;
  const named = records.filter((record) => nameOf(record) === text);
  const [first, second] = named;
  const shown = JSON.stringify(text.slice(0, 64));
  if (first === undefined)
    throw new SettingError('', `there is no ${kind} ${shown}; give its id or exact name`);
  if (second === undefined) return first;
  const ids = named.map(({ id }) => id).join(', ');
  throw new SettingError('', `several ${kind}s are called ${shown}; give the id: ${ids}`);
}

/** The user a person means by id or username. @throws SettingError */
export function findPerson(fixture: Fixture, text: string): User {
  return findNamed(fixture.users, text, ({ username }) => username, 'user');
}

/** The channel a person means by id or name, also one that the logged-in user cannot see. @throws SettingError */
export function findChannel(
  fixture: Fixture,
  text: string,
  holds: (channel: FixtureChannel) => boolean,
): FixtureChannel {
  const channels = fixture.guilds.flatMap((guild) => guild.channels);
  const fitting = channels.filter(holds);
  // An id that names a channel of another kind is told by what uses the channel.
  const pool = channels.some(({ id }) => id === text) ? channels : fitting;
  return findNamed(pool, text, ({ name }) => name, 'channel');
}
