import * as z from 'zod';
import { ApiError, invalidForm } from '../../api/api-error.ts';
import { clearable, list, maybe, maybeId, namedShape, snowflake, text } from '../../api/fields.ts';
import { defineOperation, noContent, ok } from '../../api/operation.ts';
import type { Reading } from '../../api/world.ts';
import type { FieldFault } from '../../kernel/errors.ts';
import { AUDIT, auditChanges, writeAudit } from '../audit/audit.ts';
import { isThread } from '../channels/records.ts';
import { need, type RequestingMember, requestingMember } from '../guild-access.ts';
import type { Guild } from '../records.ts';
import type { WelcomeChannel } from './records.ts';

/** Feature of a guild that makes its welcome screen public. */
const WELCOME_FEATURE = 'WELCOME_SCREEN_ENABLED';

const screenShape = namedShape('WelcomeScreen', {
  description: z.nullable(z.string()),
  welcome_channels: z.array(
    z.object({
      channel_id: z.string(),
      description: z.string(),
      emoji_id: z.nullable(z.string()),
      emoji_name: z.nullable(z.string()),
    }),
  ),
});

const emojiShape = z.object({
  id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  animated: z.boolean(),
});

const newMemberShape = namedShape('NewMemberWelcome', {
  guild_id: z.string(),
  enabled: z.boolean(),
  welcome_message: z.optional(z.object({ author_ids: z.array(z.string()), message: z.string() })),
  new_member_actions: z.array(
    z.object({
      channel_id: z.string(),
      action_type: z.int(),
      title: z.string(),
      description: z.string(),
      emoji: z.optional(emojiShape),
    }),
  ),
  resource_channels: z.array(
    z.object({
      channel_id: z.string(),
      title: z.string(),
      description: z.string(),
      emoji: z.optional(emojiShape),
    }),
  ),
});

function sortedChannels({ welcome_channels: channels }: Reading, guildId: string): WelcomeChannel[] {
  return [...channels.by('guild', guildId)].sort((a, b) => a.position - b.position);
}

function screenAnswer(tables: Reading, guild: Guild): z.output<typeof screenShape> {
  return {
    description: guild.welcome_description,
    welcome_channels: sortedChannels(tables, guild.id).map(({ channel, description, ...emoji }) => ({
      channel_id: channel,
      description,
      emoji_id: emoji.emoji_id,
      emoji_name: emoji.emoji_name,
    })),
  };
}

/** The fields of the welcome screen, in the form of an audit log. */
function auditFields(tables: Reading, guild: Guild): Readonly<Record<string, unknown>> {
  return { welcome_screen: screenAnswer(tables, guild), features: guild.features };
}

const body = z.object({
  description: clearable(text(0, 140)),
  welcome_channels: clearable(
    list(
      z.object({
        channel_id: snowflake(),
        description: text(1, 50),
        emoji_id: maybeId(),
        emoji_name: maybe(text(0, 100)),
      }),
      0,
      5,
    ),
  ),
  enabled: clearable(z.boolean()),
});

/**
 * The channels of the welcome screen in a request. @throws ApiError 50035 for channels of another guild, or duplicates.
 */
function channelsOf(
  { channels }: Reading,
  { guild }: RequestingMember,
  entries: z.output<typeof body>['welcome_channels'],
): WelcomeChannel[] {
  const faults: FieldFault[] = [];
  const rows = (entries ?? []).map(({ channel_id, description, emoji_id, emoji_name }, position) => {
    const channel = channels.get(channel_id);
    const isTwice = entries?.findIndex((one) => one.channel_id === channel_id) !== position;
    if (channel?.guild !== guild.id || isThread(channel) || isTwice) {
      const message = 'The channel cannot be used here.';
      faults.push({
        path: ['welcome_channels', position, 'channel_id'],
        code: 'CHANNEL_INVALID',
        message,
      });
    }
    return {
      guild: guild.id,
      channel: channel_id,
      description,
      emoji_id: emoji_id ?? null,
      emoji_name: emoji_name || null,
      position,
    };
  });
  if (faults.length > 0) throw invalidForm(faults);
  return rows;
}

/** Routes of the welcome screen. */
export const welcomeOperations = [
  defineOperation({
    id: 'get_guild_welcome_screen',
    summary: 'Welcome screen of a guild; a disabled one only for members who manage the guild.',
    route: 'GET /guilds/{guild_id}/welcome-screen',
    answers: { 200: screenShape },
    handle: ({ caller, params }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { guild } = who;
      const answer = screenAnswer(platform.world.tables, guild);
      if (guild.features.includes(WELCOME_FEATURE)) return ok(answer);
      need(who, 'MANAGE_GUILD');
      if (answer.description === null && answer.welcome_channels.length === 0) {
        throw new ApiError('UnknownGuildWelcomeScreen');
      }
      return ok(answer);
    },
  }),
  defineOperation({
    id: 'update_guild_welcome_screen',
    summary: 'Changes the welcome screen of a guild; an absent field stays unchanged.',
    route: 'PATCH /guilds/{guild_id}/welcome-screen',
    body,
    ours: 'It is logged as a change of the guild. An emoji is stored as it is sent.',
    answers: { 200: screenShape },
    handle: ({ caller, params, body: request, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const { world } = platform;
      const { guild } = who;
      const rows = channelsOf(world.tables, who, request.welcome_channels);
      const changed = world.transaction((tables) => {
        const before = auditFields(tables, guild);
        if (request.welcome_channels !== undefined) {
          for (const { channel } of sortedChannels(tables, guild.id)) tables.welcome_channels.remove(channel);
          for (const row of rows) tables.welcome_channels.insert(row);
        }
        const others = guild.features.filter((name) => name !== WELCOME_FEATURE);
        const after = tables.guilds.update(guild.id, {
          ...(request.description === undefined ? {} : { welcome_description: request.description || null }),
          ...(request.enabled === undefined
            ? {}
            : { features: request.enabled ? [...others, WELCOME_FEATURE] : others }),
        });
        const changes = auditChanges(before, auditFields(tables, after));
        writeAudit(world, tables, who, { action: AUDIT.GUILD_UPDATE, target: guild.id, reason, changes });
        return after;
      });
      return ok(screenAnswer(world.tables, changed));
    },
  }),
  defineOperation({
    id: 'get_guild_new_member_welcome',
    summary: 'Welcome message and tasks of new members, from the fixture; 204 where there are none.',
    route: 'GET /guilds/{guild_id}/new-member-welcome',
    answers: { 200: newMemberShape, 204: null },
    handle: ({ caller, params }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      const { new_member_welcome: welcome } = guild;
      if (welcome === null) return noContent();
      const { channels } = platform.world.tables;
      const isHere = ({ channel }: { readonly channel: string }): boolean =>
        channels.get(channel)?.guild === guild.id;
      const welcomeItem = <
        T extends { readonly channel: string; readonly emoji: z.output<typeof emojiShape> | null },
      >({
        channel,
        emoji,
        ...rest
      }: T) => ({ channel_id: channel, ...rest, ...(emoji === null ? {} : { emoji }) });
      const { enabled, authors, message, actions, resources } = welcome;
      return ok({
        guild_id: guild.id,
        enabled,
        ...(message === null ? {} : { welcome_message: { author_ids: [...authors], message } }),
        new_member_actions: actions.filter(isHere).map(welcomeItem),
        resource_channels: resources.filter(isHere).map(welcomeItem),
      });
    },
  }),
];
