import * as z from 'zod';
import { ApiError, generalError, missingPermissions, requiredField } from '../../api/api-error.ts';
import type { BotCaller, HasAuthorizations } from '../../api/caller.ts';
import { maybe, set, snowflake, textUpTo } from '../../api/fields.ts';
import { noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import { anyChannelInView } from './channel-access.ts';
import { privateChannelAnswer, privateChannelShape } from './private-answers.ts';
import { openDirect, openGroup } from './private-channels.ts';
import { isDirect, isPrivate, MAX_RECIPIENTS, type PrivateChannel } from './private-records.ts';
import { cannotSend } from './reachable.ts';

/** Services of these routes. */
type Needs = Base & HasAuthorizations;

const defineOperation = operationsFor<Needs>();

/** Limit of a bot's groups. */
const MAX_GROUPS = 10;

/**
 * The user whose token permits the caller's application to add that user to a group. @throws ApiError 403 with code
 * 50025.
 */
function grantingUser({ oauth2 }: Needs, { application }: BotCaller, token: string | undefined): string {
  const found = oauth2.introspect(token ?? '');
  const isGood =
    found.state === 'active' &&
    found.clientId === application.id &&
    found.effectiveScopes.includes('gdm.join');
  if (!isGood) throw new ApiError('InvalidOAuth2AccessToken');
  return found.userId;
}

/** A group of which the caller is a member. @throws ApiError 10003, 50001, or 50024 for another kind of channel. */
function groupInView(platform: Needs, channelId: string, caller: BotCaller): PrivateChannel {
  const { channel } = anyChannelInView(platform, channelId, caller);
  if (isPrivate(channel) && !isDirect(channel)) return channel;
  throw new ApiError('CannotExecuteActionOnThisChannelType');
}

/** Sets or removes the nickname of a user in a group. */
function withNick(
  nicks: PrivateChannel['nicks'],
  user: string,
  nick: string | null | undefined,
): PrivateChannel['nicks'] {
  const others = Object.entries(nicks).filter(([id]) => id !== user);
  return Object.fromEntries(nick ? [...others, [user, nick]] : others);
}

const nick = () => maybe(textUpTo(32));

/** Routes of private channels. */
export const privateChannelOperations = [
  defineOperation({
    id: 'create_dm',
    summary: 'Opens the direct channel of the bot with a user, or a new group of users with tokens.',
    route: 'POST /users/@me/channels',
    body: z.object({
      recipient_id: maybe(snowflake()),
      access_tokens: maybe(set(textUpTo(512), 1, MAX_RECIPIENTS - 1)),
      nicks: maybe(z.record(z.string(), z.nullable(textUpTo(32)))),
    }),
    ours: 'A group has at most ten members including the bot, and a bot is in at most ten groups; beyond that the answer has no code of its own.',
    answers: { 200: privateChannelShape },
    handle: ({ caller, body }, platform) => {
      const { world } = platform;
      const { id: own } = caller.user;
      const answer = (channel: PrivateChannel) => ok(privateChannelAnswer(world.tables, channel, own));
      // The bot may have been deleted while the body arrived.
      if (!world.tables.users.has(own)) throw new ApiError('InvalidRecipients');
      const { recipient_id: recipient, access_tokens: tokens, nicks = {} } = body;
      if (recipient !== undefined) {
        const other = world.tables.users.get(recipient);
        if (other === undefined || other.id === own) throw new ApiError('InvalidRecipients');
        if (other.bot) throw cannotSend(400);
        return answer(openDirect(platform, own, other.id));
      }
      if (tokens === undefined) throw requiredField('recipient_id');
      const others = [...new Set(tokens.map((token) => grantingUser(platform, caller, token)))];
      const groups = [...world.tables.private_channels.by('recipients', own)].filter((one) => !isDirect(one));
      if (groups.length >= MAX_GROUPS) {
        throw generalError(400, `Maximum number of group DMs reached (${MAX_GROUPS})`);
      }
      const called = Object.entries(nicks).filter(
        (entry): entry is [string, string] => others.includes(entry[0]) && Boolean(entry[1]),
      );
      return answer(
        openGroup(platform, {
          bot: own,
          application: caller.application.id,
          others,
          nicks: Object.fromEntries(called),
        }),
      );
    },
  }),
  defineOperation({
    id: 'add_group_dm_user',
    summary: 'Adds a user to a group with their token for `gdm.join`; a present member stays unchanged.',
    route: 'PUT /channels/{channel_id}/recipients/{user_id}',
    body: z.object({ access_token: maybe(textUpTo(512)), nick: nick() }),
    answers: { 204: null },
    handle: ({ params, caller, body }, platform) => {
      const { id, recipients, nicks } = groupInView(platform, params.channel_id, caller);
      const { user_id: user } = params;
      if (grantingUser(platform, caller, body.access_token) !== user) throw new ApiError('InvalidRecipients');
      if (recipients.includes(user)) return noContent();
      if (recipients.length >= MAX_RECIPIENTS) {
        throw new ApiError('MaximumNumberOfRecipientsReached', { limit: MAX_RECIPIENTS });
      }
      platform.world.transaction(({ private_channels }) =>
        private_channels.update(id, {
          recipients: [...recipients, user],
          nicks: withNick(nicks, user, body.nick),
        }),
      );
      return noContent();
    },
  }),
  defineOperation({
    id: 'delete_group_dm_user',
    summary: 'Removes a user from a group that the bot owns.',
    route: 'DELETE /channels/{channel_id}/recipients/{user_id}',
    ours: 'A user who is not in the group is unknown (10013).',
    answers: { 204: null },
    handle: ({ params, caller }, platform) => {
      const group = groupInView(platform, params.channel_id, caller);
      if (group.owner !== caller.user.id && params.user_id !== caller.user.id) throw missingPermissions();
      if (!group.recipients.includes(params.user_id)) throw new ApiError('UnknownUser');
      leaveGroup(platform, group, params.user_id);
      return noContent();
    },
  }),
];

/**
 * Removes a member from a group. When the last member leaves, the group is removed; when the owner leaves, the oldest
 * member becomes the owner.
 */
export function leaveGroup({ world }: Pick<Base, 'world'>, group: PrivateChannel, user: string): void {
  const { id, recipients, owner, nicks } = group;
  world.transaction(({ private_channels }) =>
    private_channels.update(id, {
      recipients: recipients.filter((one) => one !== user),
      owner: owner === user ? null : owner,
      nicks: withNick(nicks, user, null),
    }),
  );
}
