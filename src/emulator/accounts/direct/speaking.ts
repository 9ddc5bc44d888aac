import { ApiError } from '../../api/api-error.ts';
import type { HasAuthorizations, TokenCaller } from '../../api/caller.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { accessToAnyChannel, type ChannelAccess } from '../../guilds/channels/channel-access.ts';
import { directBetween, openDirect } from '../../guilds/channels/private-channels.ts';
import type { PrivateChannel } from '../../guilds/channels/private-records.ts';
import { cannotSend, shareGuild } from '../../guilds/channels/reachable.ts';
import type { User } from '../../users/records.ts';
import { areFriends, isBlocked } from '../../users/relationships/bonds.ts';

/** Services for speakers. */
type Needs = Base & HasApplications & HasAuthorizations;

/** A user who writes or reads in a game, and the application of the game. */
export interface Speaker {
  readonly user: User;
  readonly application: NonNullable<ReturnType<Needs['application']>>['record'];
}

/** The user and the application of a token. @throws ApiError 404 when one of them was removed. */
export function speakerOf(platform: Needs, { userId, clientId }: TokenCaller): Speaker {
  const user = userById(platform, userId);
  const known = platform.application(clientId);
  if (known === undefined) throw new ApiError('UnknownUser');
  return { user, application: known.record };
}

function userById({ world }: Needs, id: string): User {
  const user = world.tables.users.get(id);
  if (user === undefined) throw new ApiError('UnknownUser');
  return user;
}

/** Whether both users use a game, which means that the game holds a token of each. */
function plays({ oauth2 }: Needs, { user, application }: Speaker, otherId: string): boolean {
  return oauth2.holds(user.id, application.id) && oauth2.holds(otherId, application.id);
}

/** Whether a game may read the messages of two users: both must use it. @throws ApiError 404 with code 10013. */
export function mayRead(platform: Needs, speaker: Speaker, otherId: string): boolean {
  return plays(platform, speaker, userById(platform, otherId).id);
}

/**
 * The channel of a speaker and another user. @throws ApiError 404 with code 10013 for an unknown user, or 10003 for an
 * unknown channel.
 */
export function channelWith(
  platform: Needs,
  speaker: Speaker,
  otherId: string,
): ChannelAccess<PrivateChannel> {
  const other = userById(platform, otherId);
  const channel = directBetween(platform.world.tables, speaker.user.id, other.id);
  const access = channel === undefined ? undefined : accessToAnyChannel(platform, channel.id, speaker.user);
  if (channel === undefined || access === undefined) throw new ApiError('UnknownChannel');
  return { ...access, channel };
}

/**
 * Checks that one user may write to another. Both must use the game, be friends, or share a guild and have exchanged
 * messages before, and neither may block the other. @throws ApiError 403 with code 50007.
 */
export function checkMayWriteTo(platform: Needs, speaker: Speaker, otherId: string): void {
  const { tables } = platform.world;
  const { id } = speaker.user;
  const other = userById(platform, otherId);
  const closed =
    other.id === id || other.bot || isBlocked(tables, id, other.id) || isBlocked(tables, other.id, id);
  if (closed) throw cannotSend(403);
  const known = directBetween(tables, id, other.id);
  const haveSpoken = known !== undefined && tables.messages.by('channel', known.id).size > 0;
  const may =
    plays(platform, speaker, other.id) ||
    areFriends(tables, speaker.application.id, id, other.id) ||
    (haveSpoken && shareGuild(tables, id, other.id));
  if (!may) throw cannotSend(403);
}

/** Returns the channel of two users; creates it if necessary. */
export function channelTo(platform: Needs, speaker: Speaker, otherId: string): ChannelAccess<PrivateChannel> {
  const channel = openDirect(platform, speaker.user.id, otherId);
  const access = accessToAnyChannel(platform, channel.id, speaker.user);
  if (access === undefined) throw new ApiError('UnknownChannel');
  return { ...access, channel };
}
