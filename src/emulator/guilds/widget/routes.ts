import * as z from 'zod';
import { ApiError, invalidField } from '../../api/api-error.ts';
import { choice, clearable, namedShape, snowflake } from '../../api/fields.ts';
import { anybody, defineOperation, ok } from '../../api/operation.ts';
import type { Reading } from '../../api/world.ts';
import { AUDIT, auditChanges, writeAudit } from '../audit/audit.ts';
import { isThread } from '../channels/records.ts';
import { need, requestingMember } from '../guild-access.ts';
import type { Guild } from '../records.ts';
import { widgetAnswer, widgetShape } from './answers.ts';

const settingsShape = namedShape('GuildWidgetSettings', {
  enabled: z.boolean(),
  channel_id: z.nullable(z.string()),
});

function settingsAnswer({ widget_enabled, widget_channel }: Guild): z.output<typeof settingsShape> {
  return { enabled: widget_enabled, channel_id: widget_channel };
}

/** The fields of the widget, in the form of an audit log. */
function auditFields({ widget_enabled, widget_channel }: Guild): Readonly<Record<string, unknown>> {
  return { widget_enabled, widget_channel_id: widget_channel };
}

/**
 * A guild with a public widget. @throws ApiError 10004 for an unknown guild, 50004 for a guild whose widget is
 * disabled.
 */
function openGuild({ guilds }: Reading, id: string): Guild {
  const guild = guilds.get(id);
  if (guild === undefined) throw new ApiError('UnknownGuild');
  if (!guild.widget_enabled) throw new ApiError('GuildWidgetDisabled');
  return guild;
}

/** Routes of a guild's widget. */
export const widgetOperations = [
  defineOperation({
    id: 'get_guild_widget_settings',
    summary: 'Widget settings: whether it is public, and the channel of its invite.',
    route: 'GET /guilds/{guild_id}/widget',
    answers: { 200: settingsShape },
    handle: ({ caller, params }, platform) =>
      ok(settingsAnswer(need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD').guild)),
  }),
  defineOperation({
    id: 'update_guild_widget_settings',
    summary: 'Changes the widget settings; an absent field stays unchanged.',
    route: 'PATCH /guilds/{guild_id}/widget',
    body: z.object({ channel_id: clearable(snowflake()), enabled: clearable(z.boolean()) }),
    answers: { 200: settingsShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const { world } = platform;
      const { channel_id: channelId, enabled } = body;
      if (channelId !== undefined && channelId !== null) {
        const channel = world.tables.channels.get(channelId);
        if (channel?.guild !== who.guild.id || isThread(channel)) {
          const message = 'The channel cannot be used here.';
          throw invalidField(['channel_id'], 'CHANNEL_INVALID', message);
        }
      }
      const after = world.transaction((tables) => {
        const changed = tables.guilds.update(who.guild.id, {
          ...(channelId === undefined ? {} : { widget_channel: channelId }),
          ...(enabled === undefined ? {} : { widget_enabled: enabled ?? false }),
        });
        const changes = auditChanges(auditFields(who.guild), auditFields(changed));
        writeAudit(world, tables, who, { action: AUDIT.GUILD_UPDATE, target: changed.id, reason, changes });
        return changed;
      });
      return ok(settingsAnswer(after));
    },
  }),
  defineOperation({
    id: 'get_guild_widget',
    summary: 'Public widget of a guild: online members and open voice channels, for web pages.',
    route: 'GET /guilds/{guild_id}/widget.json',
    who: [anybody],
    ours: '`instant_invite` is an existing permanent invite to the channel of the widget, for all users; no invite is created.',
    answers: { 200: widgetShape },
    handle: ({ params }, { world }) =>
      ok(widgetAnswer(world.tables, openGuild(world.tables, params.guild_id))),
  }),
  defineOperation({
    id: 'get_guild_widget_png',
    summary: 'Image of a guild for web pages.',
    route: 'GET /guilds/{guild_id}/widget.png',
    who: [anybody],
    query: z.object({
      style: z.optional(choice('shield', 'banner1', 'banner2', 'banner3', 'banner4')),
    }),
    ours: 'The image has the size of its style and a pattern that is derived from the guild; name and online count are in the JSON only.',
    answers: { 200: null },
    media: 'image/png',
    handle: async ({ params, query }, { world }) => {
      const { id } = openGuild(world.tables, params.guild_id);
      const { widgetPng } = await import('./picture.ts');
      return { status: 200, type: 'image/png', content: widgetPng(id, query.style ?? 'shield') };
    },
  }),
];
