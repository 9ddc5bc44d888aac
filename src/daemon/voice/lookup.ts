import { LocalError } from '../../base/local-error.ts';
import type { Client } from '../../client/client.ts';
import type { Channel } from '../../client/generated.ts';

/** Types of channels in which users speak: voice, and stage. */
const VOICE_TYPES: readonly number[] = [2, 13];

/** Maximum number of names in a message. */
const MAX_NAMES = 8;

const isId = (text: string): boolean => /^[1-9]\d{5,19}$/.test(text);
const same = (a: string | null | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();

/**
 * Id of a user: an id stays as it is, and a name is that of a user in the current voice channel. Throws `LocalError`
 * FOOTBRIDGE_VOICE_USER.
 */
export function userId(name: string, channel: Channel | null, me: string | undefined): string {
  if (isId(name)) return name;
  const others = channel?.voice_states.filter(({ user }) => user.id !== me) ?? [];
  const found = others.filter(({ nick, user }) =>
    [nick, user.global_name, user.username].some((one) => same(one, name)),
  );
  const [first, another] = found;
  if (first !== undefined && another === undefined) return first.user.id;
  const names = others.map(({ nick, user }) => nick || user.global_name || user.username);
  const why =
    channel === null
      ? 'You are in no voice channel, so only an id names a user'
      : `${another === undefined ? 'No user' : 'More than one user'} in ${channel.name} is named ${JSON.stringify(name)}; there: ${listed(names)}`;
  throw new LocalError('FOOTBRIDGE_VOICE_USER', `${why}. Give the id of the user.`);
}

/**
 * Id of a voice channel: an id stays as it is; a name is looked up in all guilds, or in one as `GUILD/CHANNEL`. Throws
 * `LocalError` FOOTBRIDGE_VOICE_CHANNEL.
 */
export async function channelId(name: string, client: Client): Promise<string> {
  if (isId(name)) return name;
  const { guilds } = (await client.request('GET_GUILDS')) as { guilds: { id: string; name: string }[] };
  const all: { readonly id: string; readonly path: string }[] = [];
  for (const guild of guilds) {
    const { channels } = (await client.request('GET_CHANNELS', { guild_id: guild.id })) as {
      channels: { id: string; name: string; type: number }[];
    };
    for (const one of channels)
      if (VOICE_TYPES.includes(one.type)) all.push({ id: one.id, path: `${guild.name}/${one.name}` });
  }
  const found = all.filter(({ path }) => same(path, name) || same(path.slice(path.indexOf('/') + 1), name));
  const [first, another] = found;
  if (first !== undefined && another === undefined) return first.id;
  const why =
    another === undefined
      ? `No voice channel is named ${JSON.stringify(name)}; there are: ${listed(all.map(({ path }) => path))}`
      : `More than one voice channel is named ${JSON.stringify(name)}: ${listed(found.map(({ path }) => path))}`;
  throw new LocalError('FOOTBRIDGE_VOICE_CHANNEL', `${why}. Give GUILD/CHANNEL or the id.`);
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const rest = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
