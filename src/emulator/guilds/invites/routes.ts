import * as z from 'zod';
import { ApiError, missingAccess, missingPermissions } from '../../api/api-error.ts';
import { flagText, textUpTo } from '../../api/fields.ts';
import { anybody, bearer, bot, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { bitsOf } from '../../kernel/permission-bits.ts';
import { AUDIT, auditChanges, writeAudit } from '../audit/audit.ts';
import { channelInView } from '../channels/channel-access.ts';
import { isThread } from '../channels/records.ts';
import { need, requestingMember } from '../guild-access.ts';
import { memberCount, presenceCount } from '../members/list.ts';
import { isIn } from '../members/membership.ts';
import type { Guild } from '../records.ts';
import { type Acceptance, acceptInvite, type Found, findCode } from './accept.ts';
import { inviteFor, managedInvite, needAny } from './access.ts';
import {
  acceptedInviteShape,
  fullInviteAnswer,
  fullInviteShape,
  guildInviteAnswer,
  inviteAnswer,
  invitedGuild,
  inviteShape,
} from './answers.ts';
import { alike, checkRoom, createBody, createRequest, invitesOf, invitesTo, TARGETS_FILE } from './create.ts';
import { makeInvite } from './invites.ts';
import type { ChannelInviteRecord } from './records.ts';
import { addTargets, isFor, replaceTargets } from './targets.ts';

/** Services of these routes. */
type Needs = Base & HasApplications;

const defineOperation = operationsFor<Needs>();

const CATEGORY = 4;

/** The error for each reason of a refusal: status, code and message. */
const REFUSAL_ERRORS: Readonly<Record<(Acceptance & { kind: 'refused' })['why'], () => ApiError>> = {
  unknown: () => new ApiError('UnknownInvite'),
  'not-for-them': () => new ApiError('UnknownInvite'),
  bot: () => new ApiError('BotsCannotUseThisEndpoint'),
  provisional: missingAccess,
  banned: () => new ApiError('UserBannedFromThisGuild'),
  paused: () => new ApiError('FeatureTemporarilyDisabledServerSide'),
};

/** Reply for an invalid file of target users, or for any other refusal. */
export const brokenFile = z.union([
  z.object({ target_users_file: z.array(z.string()) }),
  z.looseObject({ message: z.string(), code: z.int() }),
]);

/** The fields of an invite, in the form of an audit log. */
function auditFields({ code, channel, inviter, uses, max_uses, max_age, temporary }: ChannelInviteRecord) {
  return { code, channel_id: channel, inviter_id: inviter, uses, max_uses, max_age, temporary };
}

function foundAnswer(platform: Needs, found: Found): z.output<typeof inviteShape> {
  if (found.kind === 'invite') return inviteAnswer(platform, found.invite);
  const { guild, channel } = found;
  const { tables } = platform.world;
  return { ...guildInviteAnswer(tables, channel), code: guild.vanity_url_code ?? '', expires_at: null };
}

/** Routes of invites. */
export const inviteOperations = [
  defineOperation({
    id: 'create_channel_invite',
    summary: 'Creates an invite to a channel: for all users or certain ones, with roles to grant.',
    route: 'POST /channels/{channel_id}/invites',
    body: createBody,
    bodyKinds: ['json', 'form', 'multipart'],
    files: TARGETS_FILE,
    answers: { 200: fullInviteShape, 400: brokenFile },
    ours: 'target_user_ids takes 1,000; an invite for a stream needs its user in the voice channel.',
    handle: ({ caller, params, body, files, reason }, platform) => {
      const access = channelInView(platform, params.channel_id, caller);
      const { channel } = access;
      if (channel.type === CATEGORY || isThread(channel)) {
        throw new ApiError('CannotExecuteActionOnThisChannelType');
      }
      const request = createRequest(platform, access, { caller, body, files });
      if ('target_users_file' in request) return { status: 400, body: request };
      const { invite: wanted, isUnique, targets } = request;
      const { world, clock } = platform;
      const now = clock.now();
      const isPlain = !isUnique && targets === undefined && wanted.roles.length === 0;
      const known = isPlain ? alike(world.tables, wanted, now) : undefined;
      if (known !== undefined) return ok(fullInviteAnswer(platform, known));
      checkRoom(world.tables, channel.guild, now);
      const made = world.transaction((tables) => {
        const invite = makeInvite(tables, now, wanted);
        if (targets?.from === 'list') addTargets(tables, invite.code, targets.users);
        if (targets?.from === 'file') replaceTargets(tables, invite.code, targets.users, now);
        const doer = { guild: { id: channel.guild }, member: { user: caller.user.id }, now };
        const changes = auditChanges(undefined, auditFields(invite));
        writeAudit(world, tables, doer, { action: AUDIT.INVITE_CREATE, target: null, reason, changes });
        return tables.channel_invites.get(invite.code) as ChannelInviteRecord;
      });
      return ok(fullInviteAnswer(platform, made));
    },
  }),
  defineOperation({
    id: 'list_channel_invites',
    summary: 'The invites to a channel.',
    route: 'GET /channels/{channel_id}/invites',
    answers: { 200: z.array(fullInviteShape) },
    handle: ({ caller, params }, platform) => {
      const { channel, need: needHere } = channelInView(platform, params.channel_id, caller);
      needHere('MANAGE_CHANNELS');
      const invites = invitesTo(platform.world.tables, channel.id, platform.clock.now());
      const guild = invitedGuild(platform.world.tables, channel.guild);
      return ok(invites.map((invite) => fullInviteAnswer(platform, invite, guild)));
    },
  }),
  defineOperation({
    id: 'list_guild_invites',
    summary: 'Invites to a guild; with their use counts for members who manage the guild.',
    route: 'GET /guilds/{guild_id}/invites',
    answers: { 200: z.array(fullInviteShape) },
    handle: ({ caller, params }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      needAny(who, 'MANAGE_GUILD', 'VIEW_AUDIT_LOG');
      const isManager = (who.bits & bitsOf('MANAGE_GUILD')) !== 0n;
      const answer = isManager ? fullInviteAnswer : inviteAnswer;
      const invites = invitesOf(platform.world.tables, who.guild.id, who.now);
      const guild = invitedGuild(platform.world.tables, who.guild.id);
      return ok(invites.map((invite) => answer(platform, invite, guild)));
    },
  }),
  defineOperation({
    id: 'get_guild_vanity_url',
    summary: 'Vanity code of a guild, and number of its uses.',
    route: 'GET /guilds/{guild_id}/vanity-url',
    answers: { 200: z.object({ code: z.nullable(z.string()), uses: z.int() }) },
    handle: ({ caller, params }, platform) => {
      const { guild } = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      return ok({ code: guild.vanity_url_code, uses: guild.vanity_uses });
    },
  }),
  defineOperation({
    id: 'invite_resolve',
    summary:
      'Target of an invite; an invite for certain users is visible to them and to those who manage it.',
    route: 'GET /invites/{code}',
    who: [anybody, bot, bearer()],
    query: z.object({ with_counts: z.optional(flagText()) }),
    notOffered: ['guild_scheduled_event_id', 'target_channel_id', 'target_message_id'],
    answers: { 200: inviteShape },
    ours: 'An invite for certain users is unknown to all others.',
    handle: ({ caller, params, query }, platform) => {
      const { tables } = platform.world;
      const found = findCode(tables, params.code, platform.clock.now());
      if (found === undefined) throw new ApiError('UnknownInvite');
      if (found.kind === 'invite' && found.invite.targeted) {
        const user = caller?.kind === 'bot' ? caller.user.id : (caller?.userId ?? '');
        const manages = (): boolean => {
          if (caller?.kind !== 'bot') return false;
          try {
            inviteFor(platform, params.code, caller, 'MANAGE_GUILD', 'VIEW_AUDIT_LOG');
            return true;
          } catch (error) {
            if (error instanceof ApiError) return false;
            throw error;
          }
        };
        const isOwn = user !== '' && found.invite.inviter === user;
        if (!isFor(tables, found.invite, user) && !isOwn && !manages()) throw new ApiError('UnknownInvite');
      }
      const guild = tables.guilds.get(found.channel.guild) as Guild;
      const counts = {
        approximate_member_count: memberCount(tables, guild),
        approximate_presence_count: presenceCount(tables, guild),
      };
      return ok({ ...foundAnswer(platform, found), ...(query.with_counts === true ? counts : {}) });
    },
  }),
  defineOperation({
    id: 'invite_revoke',
    summary: 'Deletes an invite.',
    route: 'DELETE /invites/{code}',
    answers: { 200: inviteShape },
    handle: ({ caller, params, reason }, platform) => {
      const { world } = platform;
      const { invite, guildId } = managedInvite(platform, params.code);
      const who = requestingMember(caller, guildId, platform);
      if ((who.bits & bitsOf('MANAGE_GUILD')) === 0n) {
        channelInView(platform, invite.channel, caller).need('MANAGE_CHANNELS');
      }
      const answer = inviteAnswer(platform, invite);
      world.transaction((tables) => {
        tables.channel_invites.remove(invite.code);
        const changes = auditChanges(auditFields(invite), undefined);
        writeAudit(world, tables, who, { action: AUDIT.INVITE_DELETE, target: null, reason, changes });
      });
      return ok(answer);
    },
  }),
  defineOperation({
    id: 'accept_invite',
    summary:
      'Makes the user of the token a member of the guild of an invite, where the bot of the application is a member.',
    route: 'POST /invites/{code}',
    who: [bearer('guilds.join')],
    // The platform uses the session only for guests of voice channels. The emulator has no guest invites, so it ignores
    // the field.
    body: z.object({ session_id: z.nullish(textUpTo(64)) }),
    answers: { 200: acceptedInviteShape },
    ours: 'A provisional account is refused with 50001, a guild with INVITES_DISABLED with 40006; for a member the use count stays unchanged.',
    handle: ({ caller, params }, platform) => {
      const { world, clock, application } = platform;
      const { tables } = world;
      const now = clock.now();
      const found = findCode(tables, params.code, now);
      if (found === undefined) throw new ApiError('UnknownInvite');
      const { guild } = found.channel;
      const own = application(caller.clientId)?.record;
      if (own === undefined || !isIn(tables, guild, own.bot_user ?? own.id)) throw missingAccess();
      const user = tables.users.get(caller.userId);
      if (user === undefined) throw missingPermissions();
      // The reply describes the invite before its use, because the last use removes the invite.
      const answer = foundAnswer(platform, found);
      const accepted = acceptInvite(world, params.code, user, now);
      if (accepted.kind === 'refused') throw REFUSAL_ERRORS[accepted.why]();
      return ok({ ...answer, new_member: accepted.isNew });
    },
  }),
];
