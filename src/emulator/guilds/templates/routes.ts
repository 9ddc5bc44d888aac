import * as z from 'zod';
import { ApiError, full } from '../../api/api-error.ts';
import { clearable, namedShape, text, timestamp } from '../../api/fields.ts';
import { anybody, defineOperation, ok } from '../../api/operation.ts';
import type { Reading } from '../../api/world.ts';
import { MAX_RECORDS } from '../../kernel/limits.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { randomSecret } from '../../kernel/secrets.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import { need, requestingMember } from '../guild-access.ts';
import type { Guild } from '../records.ts';
import type { GuildTemplate } from './records.ts';
import { snapshotOf, snapshotShape } from './snapshot.ts';

const CODE_LENGTH = 12;
/**
 * Id that stands for the creator of a template after that user was deleted: the platform's account for deleted users.
 */
const NOBODY = '456226577798135808';

const templateShape = namedShape('GuildTemplate', {
  code: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  usage_count: z.int(),
  creator_id: z.string(),
  creator: z.nullable(userShape),
  created_at: z.string(),
  updated_at: z.string(),
  source_guild_id: z.string(),
  serialized_source_guild: snapshotShape,
  is_dirty: z.nullable(z.boolean()),
});

function templateAnswer(tables: Reading, template: GuildTemplate): z.output<typeof templateShape> {
  const { code, name, description, usage_count, creator, created_at, updated_at, guild } = template;
  const user = creator === null ? undefined : tables.users.get(creator);
  const now = snapshotOf(tables, tables.guilds.get(guild) as Guild);
  const saved = (template.snapshot ?? now) as z.output<typeof snapshotShape>;
  return {
    code,
    name,
    description,
    usage_count,
    creator_id: creator ?? NOBODY,
    creator: user === undefined ? null : userAnswer(user),
    created_at: timestamp(Date.parse(created_at)),
    updated_at: timestamp(Date.parse(updated_at)),
    source_guild_id: guild,
    serialized_source_guild: saved,
    is_dirty: isSameJson(saved, now) ? null : true,
  };
}

/** A template of the guild. @throws ApiError 10057 for an unknown template. */
function templateIn({ guild_templates: templates }: Reading, guildId: string, code: string): GuildTemplate {
  const template = templates.get(code);
  if (template?.guild !== guildId) throw new ApiError('UnknownGuildTemplate');
  return template;
}

const ours =
  'A template contains announcement channels as text channels, and stages as voice channels. Channels with threads have a default_auto_archive_duration, also where none is set: seen with hikari, which reads it. Nothing is added to the audit log.';

/** Routes of guild templates. */
export const templateOperations = [
  defineOperation({
    id: 'get_guild_template',
    summary: 'A guild template, by its code.',
    route: 'GET /guilds/templates/{code}',
    who: [anybody],
    answers: { 200: templateShape },
    handle: ({ params }, { world }) => {
      const template = world.tables.guild_templates.get(params.code);
      if (template === undefined) throw new ApiError('UnknownGuildTemplate');
      return ok(templateAnswer(world.tables, template));
    },
  }),
  defineOperation({
    id: 'list_guild_templates',
    summary: 'The templates of a guild.',
    route: 'GET /guilds/{guild_id}/templates',
    answers: { 200: z.array(templateShape) },
    handle: ({ caller, params }, platform) => {
      const { guild } = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const { tables } = platform.world;
      return ok([...tables.guild_templates.by('guild', guild.id)].map((one) => templateAnswer(tables, one)));
    },
  }),
  defineOperation({
    id: 'create_guild_template',
    summary: 'Creates a template of a guild from its current state; a guild has at most one.',
    route: 'POST /guilds/{guild_id}/templates',
    body: z.object({ name: text(1, 100), description: clearable(text(0, 120)) }),
    ours,
    answers: { 200: templateShape },
    handle: ({ caller, params, body }, platform) => {
      const { guild, member, now } = need(
        requestingMember(caller, params.guild_id, platform),
        'MANAGE_GUILD',
      );
      const { world } = platform;
      const { guild_templates: templates } = world.tables;
      if (templates.by('guild', guild.id).size > 0) throw new ApiError('GuildAlreadyHasTemplate');
      if (templates.size >= MAX_RECORDS) throw full('templates');
      const at = new Date(now).toISOString();
      const made = world.transaction((tables) =>
        tables.guild_templates.insert({
          code: randomSecret(CODE_LENGTH),
          guild: guild.id,
          name: body.name,
          description: body.description || null,
          usage_count: 0,
          creator: member.user,
          created_at: at,
          updated_at: at,
          snapshot: snapshotOf(tables, guild),
        }),
      );
      return ok(templateAnswer(world.tables, made));
    },
  }),
  defineOperation({
    id: 'sync_guild_template',
    summary: 'Updates a template to the current state of the guild.',
    route: 'PUT /guilds/{guild_id}/templates/{code}',
    ours,
    answers: { 200: templateShape },
    handle: ({ caller, params }, platform) => {
      const { guild, now } = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const { world } = platform;
      const { code } = templateIn(world.tables, guild.id, params.code);
      const synced = world.transaction((tables) =>
        tables.guild_templates.update(code, {
          updated_at: new Date(now).toISOString(),
          snapshot: snapshotOf(tables, guild),
        }),
      );
      return ok(templateAnswer(world.tables, synced));
    },
  }),
  defineOperation({
    id: 'update_guild_template',
    summary: 'Changes the name or the description of a template.',
    route: 'PATCH /guilds/{guild_id}/templates/{code}',
    body: z.object({ name: z.optional(text(1, 100)), description: clearable(text(0, 120)) }),
    answers: { 200: templateShape },
    handle: ({ caller, params, body: { name, description } }, platform) => {
      const { guild } = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const { world } = platform;
      const { code } = templateIn(world.tables, guild.id, params.code);
      const changed = world.transaction((tables) =>
        tables.guild_templates.update(code, {
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description: description || null }),
        }),
      );
      return ok(templateAnswer(world.tables, changed));
    },
  }),
  defineOperation({
    id: 'delete_guild_template',
    summary: 'Deletes a template, and returns it.',
    route: 'DELETE /guilds/{guild_id}/templates/{code}',
    answers: { 200: templateShape },
    handle: ({ caller, params }, platform) => {
      const { guild } = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const { world } = platform;
      const template = templateIn(world.tables, guild.id, params.code);
      const answer = templateAnswer(world.tables, template);
      world.transaction((tables) => tables.guild_templates.remove(template.code));
      return ok(answer);
    },
  }),
];
