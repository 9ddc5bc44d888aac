// A bot's whole day with @discordjs/rest, and what it gets as discord-api-types declares it: each field is read by its type.
import { DiscordAPIError, REST } from '@discordjs/rest';
import {
  type APIInvite,
  type APIMessage,
  type APIRole,
  type APITextChannel,
  AuditLogEvent,
  ChannelType,
  MessageFlags,
  MessageReferenceType,
  MessageType,
  OverwriteType,
  PermissionFlagsBits,
  type RESTGetAPIAuditLogResult,
  type RESTGetAPIChannelMessagesPinsResult,
  type RESTGetAPIGuildPruneCountResult,
  type RESTPostAPIGuildPruneResult,
  Routes,
} from 'discord-api-types/v10';
import { expect, it } from 'vitest';
import { botStory, GENERAL, GUILD, OTTER, PNG, RIVER } from './bot-world.ts';
import { botToken } from './story.ts';

interface Found {
  readonly total_results: number;
  readonly messages: readonly (readonly APIMessage[])[];
}

/** Of a job that has read all target users. */
const JOB_COMPLETED = 2;

/** Asks until all is indexed, as the platform says that it wants. */
async function searched(rest: REST, query: string): Promise<Found> {
  for (;;) {
    const answer = (await rest.get(`/guilds/${GUILD}/messages/search`, {
      query: new URLSearchParams(query),
    })) as Found & { readonly code?: number; readonly retry_after?: number };
    if (answer.code !== 110000) return answer;
    await new Promise((resolve) => setTimeout(resolve, (answer.retry_after ?? 0) * 1000 + 5));
  }
}

it('@discordjs/rest makes channels, roles and invites with targets, posts files, pins, forwards, searches and prunes [W-1, O-21, O-22, P-1, P-5, P-11, P-12, P-14, P-15, P-19]', async () => {
  const emulator = await botStory();
  const rest = new REST({ api: emulator.api, version: '10' }).setToken(botToken());

  // The older field of a role's colour has to work, too.
  await emulator.operations.call('emulator.allow', {
    rule: 'deprecated',
    where: `POST /guilds/${GUILD}/roles`,
  });
  const crew = (await rest.post(Routes.guildRoles(GUILD), {
    body: {
      name: 'crew',
      permissions: String(PermissionFlagsBits.AttachFiles),
      color: 0x1a2b3c,
      mentionable: true,
    },
    reason: 'the season begins',
  })) as APIRole;
  expect(crew).toMatchObject({ name: 'crew', mentionable: true, colors: { primary_color: 0x1a2b3c } });
  await rest.put(Routes.guildMemberRole(GUILD, OTTER, crew.id));
  expect(await rest.get(Routes.guildMember(GUILD, OTTER))).toMatchObject({ roles: [crew.id] });
  expect(await rest.get(`/guilds/${GUILD}/roles/member-counts`)).toMatchObject({ [crew.id]: 1 });

  const category = (await rest.post(Routes.guildChannels(GUILD), {
    body: { name: 'Tides', type: ChannelType.GuildCategory },
  })) as { readonly id: string };
  const deck = (await rest.post(Routes.guildChannels(GUILD), {
    body: {
      name: 'deck',
      type: ChannelType.GuildText,
      parent_id: category.id,
      topic: 'What is on deck',
      permission_overwrites: [
        { id: GUILD, type: OverwriteType.Role, deny: String(PermissionFlagsBits.ViewChannel) },
        { id: crew.id, type: OverwriteType.Role, allow: String(PermissionFlagsBits.ViewChannel) },
      ],
    },
    reason: 'a place for the crew',
  })) as APITextChannel;
  expect(deck).toMatchObject({ parent_id: category.id, topic: 'What is on deck', guild_id: GUILD });
  expect(deck.permission_overwrites).toHaveLength(2);

  const invite = (await rest.post(Routes.channelInvites(deck.id), {
    body: { max_age: 3600, max_uses: 2, unique: true, role_ids: [crew.id] },
    files: [
      {
        key: 'target_users_file',
        data: `user_id\n${OTTER}\n${RIVER}\n`,
        name: 'users.csv',
        contentType: 'text/csv',
      },
    ],
  })) as APIInvite & { readonly roles?: readonly APIRole[] };
  expect(invite.roles).toMatchObject([{ id: crew.id, name: 'crew' }]);
  expect(Object.keys(invite.roles?.[0] ?? {}).sort((a, b) => a.localeCompare(b))).toEqual([
    'color',
    'colors',
    'icon',
    'id',
    'name',
    'position',
    'unicode_emoji',
  ]);
  await expect
    .poll(() => rest.get(`/invites/${invite.code}/target-users/job-status`))
    .toMatchObject({ status: JOB_COMPLETED, total_users: 2, processed_users: 2 });
  const targets = new TextDecoder().decode(
    (await rest.get(`/invites/${invite.code}/target-users`)) as ArrayBuffer,
  );
  expect(targets.split(/\r?\n/).filter((line) => line !== '')).toEqual(['user_id', OTTER, RIVER]);
  const bad = await rest
    .put(`/invites/${invite.code}/target-users`, {
      files: [
        { key: 'target_users_file', data: `${OTTER}\nheron\n`, name: 'users.csv', contentType: 'text/csv' },
      ],
    })
    .catch((error: unknown) => error);
  expect(bad).toBeInstanceOf(DiscordAPIError);
  expect(bad).toMatchObject({
    status: 400,
    rawError: { target_users_file: [expect.stringContaining('Line 2')] },
  });

  const posted = (await rest.post(Routes.channelMessages(deck.id), {
    body: {
      content: `Low water, <@&${crew.id}>`,
      embeds: [{ title: 'Tide table', image: { url: 'attachment://tide.png' } }],
      attachments: [{ id: 0, description: 'The tide' }],
      allowed_mentions: { roles: [crew.id] },
    },
    files: [{ name: 'tide.png', data: PNG, contentType: 'image/png' }],
  })) as APIMessage;
  expect(posted).toMatchObject({
    mention_roles: [crew.id],
    // The embed shows the only one.
    attachments: [],
  });
  const file = await fetch(posted.embeds[0]?.image?.url ?? '');
  expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG);

  await rest.put(`/channels/${deck.id}/messages/pins/${posted.id}`, { reason: 'to find it' });
  const pins = (await rest.get(`/channels/${deck.id}/messages/pins`)) as RESTGetAPIChannelMessagesPinsResult;
  expect(pins).toMatchObject({ has_more: false, items: [{ message: { id: posted.id, pinned: true } }] });

  const forwarded = (await rest.post(Routes.channelMessages(GENERAL), {
    body: {
      message_reference: { type: MessageReferenceType.Forward, channel_id: deck.id, message_id: posted.id },
    },
  })) as APIMessage;
  expect(forwarded.message_snapshots?.[0]?.message).toMatchObject({ content: posted.content });
  expect((forwarded.flags ?? 0) & MessageFlags.HasSnapshot).toBe(MessageFlags.HasSnapshot);
  const reply = (await rest.post(Routes.channelMessages(deck.id), {
    body: { content: 'Aye', message_reference: { message_id: posted.id } },
  })) as APIMessage;
  expect(reply).toMatchObject({ type: MessageType.Reply, referenced_message: { id: posted.id } });
  await rest.put(Routes.channelMessageOwnReaction(deck.id, reply.id, encodeURIComponent('🌊')));
  expect(await rest.get(Routes.channelMessage(deck.id, reply.id))).toMatchObject({
    reactions: [{ emoji: { name: '🌊' }, count: 1, me: true }],
  });

  const found = await searched(rest, `content=low water&channel_id=${deck.id}&has=image`);
  expect([found.total_results, found.messages[0]?.[0]?.id]).toEqual([1, posted.id]);
  expect(await searched(rest, 'pinned=true&mention_everyone=false')).toMatchObject({
    messages: [[{ id: posted.id }]],
  });

  const thread = (await rest.post(Routes.threads(deck.id, posted.id), { body: { name: 'Low water' } })) as {
    readonly id: string;
  };
  expect(thread.id).toBe(posted.id);

  const count = (await rest.get(Routes.guildPrune(GUILD), {
    query: new URLSearchParams({ days: '1', include_roles: crew.id }),
  })) as RESTGetAPIGuildPruneCountResult;
  const pruned = (await rest.post(Routes.guildPrune(GUILD), {
    body: { days: 1, include_roles: [crew.id] },
    reason: 'the season is over',
  })) as RESTPostAPIGuildPruneResult;
  expect(pruned.pruned).toBe(count.pruned);
  expect(count.pruned).toBeGreaterThan(0);

  const log = (await rest.get(Routes.guildAuditLog(GUILD))) as RESTGetAPIAuditLogResult;
  const deeds = log.audit_log_entries.map(({ action_type, reason }) => ({ action_type, reason }));
  for (const deed of [
    { action_type: AuditLogEvent.RoleCreate, reason: 'the season begins' },
    { action_type: AuditLogEvent.ChannelCreate, reason: 'a place for the crew' },
    { action_type: AuditLogEvent.MessagePin, reason: 'to find it' },
    { action_type: AuditLogEvent.MemberPrune, reason: 'the season is over' },
  ]) {
    expect(deeds).toContainEqual(deed);
  }

  await rest.post(Routes.channelBulkDelete(deck.id), { body: { messages: [posted.id, reply.id] } });
  await expect(rest.get(Routes.channelMessage(deck.id, posted.id))).rejects.toMatchObject({ code: 10008 });
  await rest.delete(Routes.channel(deck.id));
  await expect(rest.get(Routes.channel(deck.id))).rejects.toMatchObject({ code: 10003, status: 404 });
});
