import * as z from 'zod';
import { ApiError, invalidForm } from '../../api/api-error.ts';
import { clearable, fault, set, snowflake, text } from '../../api/fields.ts';
import { noContent, ok, operationsFor } from '../../api/operation.ts';
import { checkOwn } from '../../api/own-application.ts';
import type { Base, Reading } from '../../api/world.ts';
import { checkedPicture, dataUri } from '../../files/data-uri.ts';
import type { HasFileStore } from '../../files/store.ts';
import { withStored } from '../../files/stored.ts';
import { AUDIT, logged } from '../audit/audit.ts';
import { canSeeCreators, limitOf, needChange, needCreate } from '../expressions/rights.ts';
import { type RequestingMember, requestingMember } from '../guild-access.ts';
import { emojiAnswer, emojiShape } from './answers.ts';
import type { ApplicationEmoji, Emoji } from './records.ts';

const defineOperation = operationsFor<Base & HasFileStore>();

/** Maximum size of an emoji's image, in bytes. */
const MAX_EMOJI_BYTES = 256 * 1024;
/**
 * Maximum size of a request with an emoji, in bytes. It is larger than the limit of the image, so that a slightly too
 * large image fails with an error for its field.
 */
const MAX_EMOJI_REQUEST_BYTES = 1024 * 1024;

/** Name of an emoji in a request. */
const emojiName = () =>
  text(2, 32).refine(
    (value) => /^\w*$/.test(value),
    fault('STRING_TYPE_REGEX', 'String value did not match validation regex.'),
  );

const roles = clearable(set(z.nullable(snowflake()), 0, 1521));

/**
 * Ids of the roles that may use an emoji. @throws ApiError 50035 for a role that the guild does not have.
 */
function rolesIn(tables: Reading, guildId: string, requested: z.output<typeof roles>): string[] {
  const ids = (requested ?? []).filter((id) => id !== null);
  const faults = ids
    .filter((id) => tables.roles.get(id)?.guild !== guildId)
    .map((id) => ({
      path: ['roles', (requested ?? []).indexOf(id)],
      code: 'ROLE_NOT_FOUND',
      message: 'The guild has no such role.',
    }));
  if (faults.length > 0) throw invalidForm(faults);
  return ids;
}

/** An emoji of the guild. @throws ApiError 10014 for an unknown emoji. */
function emojiIn({ emojis }: Reading, guildId: string, id: string): Emoji {
  const emoji = emojis.get(id);
  if (emoji?.guild !== guildId) throw new ApiError('UnknownEmoji');
  return emoji;
}

function logView(id: string) {
  return (tables: Reading) => {
    const emoji = tables.emojis.get(id);
    return emoji && emojiAnswer(tables, emoji, false);
  };
}

function checkRoom({ emojis }: Reading, { guild }: RequestingMember, animated: boolean): void {
  const maxEmojis = limitOf(guild, 'emoji');
  const same = [...emojis.by('guild', guild.id)].filter(
    (emoji) => !emoji.managed && emoji.animated === animated,
  );
  if (same.length < maxEmojis) return;
  throw animated
    ? new ApiError('MaximumNumberOfAnimatedEmojisReached', { limit: maxEmojis })
    : new ApiError('MaximumNumberOfEmojisReached', { limit: maxEmojis });
}

/** Routes of a guild's emoji. */
export const emojiOperations = [
  defineOperation({
    id: 'list_guild_emojis',
    summary: 'Emoji of a guild; with their creators for members who may create or manage them.',
    route: 'GET /guilds/{guild_id}/emojis',
    answers: { 200: z.array(emojiShape) },
    handle: ({ caller, params }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { tables } = platform.world;
      const all = [...tables.emojis.by('guild', who.guild.id)];
      return ok(all.map((emoji) => emojiAnswer(tables, emoji, canSeeCreators(who))));
    },
  }),
  defineOperation({
    id: 'get_guild_emoji',
    summary: 'An emoji of a guild.',
    route: 'GET /guilds/{guild_id}/emojis/{emoji_id}',
    answers: { 200: emojiShape },
    handle: ({ caller, params }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { tables } = platform.world;
      return ok(emojiAnswer(tables, emojiIn(tables, who.guild.id, params.emoji_id), canSeeCreators(who)));
    },
  }),
  defineOperation({
    id: 'create_guild_emoji',
    summary: 'Creates an emoji from an image of at most 256 KiB.',
    route: 'POST /guilds/{guild_id}/emojis',
    body: z.object({ name: emojiName(), image: dataUri('image'), roles }),
    maxBodyBytes: MAX_EMOJI_REQUEST_BYTES,
    ours: 'The image type is detected from the bytes, whatever the data URI names. An image is stored as it is sent.',
    answers: { 201: emojiShape },
    handle: ({ caller, params, body, reason }, platform) => {
      needCreate(requestingMember(caller, params.guild_id, platform));
      const picture = checkedPicture(body.image, 'image', MAX_EMOJI_BYTES);
      const { world } = platform;
      return withStored(platform, picture, (file) => {
        // The state may have changed while the file was stored, so everything is checked again.
        const who = needCreate(requestingMember(caller, params.guild_id, platform));
        checkRoom(world.tables, who, picture.animated);
        const allowed = rolesIn(world.tables, who.guild.id, body.roles);
        const id = world.ids.next(who.now, (taken) => world.tables.emojis.has(taken));
        const deed = { action: AUDIT.EMOJI_CREATE, target: id, reason };
        const made = logged(world, who, deed, logView(id), ({ emojis }) =>
          emojis.insert({
            id,
            guild: who.guild.id,
            name: body.name,
            roles: allowed,
            user: who.member.user,
            animated: picture.animated,
            available: true,
            managed: false,
            file,
          }),
        );
        return { status: 201, body: emojiAnswer(world.tables, made, true) };
      });
    },
  }),
  defineOperation({
    id: 'update_guild_emoji',
    summary: 'Changes the name of an emoji, or the roles that may use it.',
    route: 'PATCH /guilds/{guild_id}/emojis/{emoji_id}',
    body: z.object({ name: z.optional(emojiName()), roles }),
    answers: { 200: emojiShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { world } = platform;
      const before = emojiIn(world.tables, who.guild.id, params.emoji_id);
      needChange(who, before);
      const fields = {
        name: body.name ?? before.name,
        roles: body.roles === undefined ? before.roles : rolesIn(world.tables, who.guild.id, body.roles),
      };
      const { id } = before;
      const deed = { action: AUDIT.EMOJI_UPDATE, target: id, reason };
      const after = logged(world, who, deed, logView(id), ({ emojis }) => emojis.update(id, fields));
      return ok(emojiAnswer(world.tables, after, true));
    },
  }),
  defineOperation({
    id: 'delete_guild_emoji',
    summary: 'Deletes an emoji; its uses in messages stay.',
    route: 'DELETE /guilds/{guild_id}/emojis/{emoji_id}',
    answers: { 204: null },
    handle: ({ caller, params, reason }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { world } = platform;
      const emoji = emojiIn(world.tables, who.guild.id, params.emoji_id);
      needChange(who, emoji);
      const { id } = emoji;
      const deed = { action: AUDIT.EMOJI_DELETE, target: id, reason };
      logged(world, who, deed, logView(id), ({ emojis }) => emojis.remove(id));
      return noContent();
    },
  }),
];

const MAX_EMOJIS = 2000;

/** An emoji of the application. @throws ApiError 10014 for an unknown emoji. */
function emojiOf({ application_emojis }: Reading, applicationId: string, id: string): ApplicationEmoji {
  const emoji = application_emojis.get(id);
  if (emoji?.application !== applicationId) throw new ApiError('UnknownEmoji');
  return emoji;
}

const ALL = '/applications/{application_id}/emojis';
const ONE = '/applications/{application_id}/emojis/{emoji_id}';

/** Routes of an application's emoji. */
export const applicationEmojiOperations = [
  defineOperation({
    id: 'list_application_emojis',
    summary: "The emoji of the bot's own application.",
    route: `GET ${ALL}`,
    answers: { 200: z.object({ items: z.array(emojiShape) }) },
    handle: ({ caller, params }, { world: { tables } }) => {
      checkOwn(caller, params.application_id);
      const all = [...tables.application_emojis.by('application', params.application_id)];
      return ok({ items: all.map((emoji) => emojiAnswer(tables, emoji, true)) });
    },
  }),
  defineOperation({
    id: 'get_application_emoji',
    summary: 'An emoji of the application.',
    route: `GET ${ONE}`,
    answers: { 200: emojiShape },
    handle: ({ caller, params }, { world: { tables } }) => {
      checkOwn(caller, params.application_id);
      return ok(emojiAnswer(tables, emojiOf(tables, params.application_id, params.emoji_id), true));
    },
  }),
  defineOperation({
    id: 'create_application_emoji',
    summary:
      'Creates an emoji that only the bot of the application can use, everywhere and without a permission.',
    route: `POST ${ALL}`,
    body: z.object({ name: emojiName(), image: dataUri('image') }),
    maxBodyBytes: MAX_EMOJI_REQUEST_BYTES,
    answers: { 201: emojiShape },
    handle: ({ caller, params, body }, platform) => {
      checkOwn(caller, params.application_id);
      const { world, clock } = platform;
      const picture = checkedPicture(body.image, 'image', MAX_EMOJI_BYTES);
      return withStored(platform, picture, (file) => {
        const { id: application } = caller.application;
        // The application may have been deleted while the file was stored.
        if (!world.tables.applications.has(application)) throw new ApiError('UnknownApplication');
        if (world.tables.application_emojis.by('application', application).size >= MAX_EMOJIS) {
          throw new ApiError('MaximumNumberOfEmojisReached', { limit: MAX_EMOJIS });
        }
        const made = world.transaction(({ application_emojis: emojis }) =>
          emojis.insert({
            id: world.ids.next(clock.now(), (id) => emojis.has(id)),
            application,
            name: body.name,
            user: world.tables.users.has(caller.user.id) ? caller.user.id : null,
            animated: picture.animated,
            file,
          }),
        );
        return { status: 201, body: emojiAnswer(world.tables, made, true) };
      });
    },
  }),
  defineOperation({
    id: 'update_application_emoji',
    summary: 'Renames an emoji of the application.',
    route: `PATCH ${ONE}`,
    body: z.object({ name: z.optional(emojiName()) }),
    answers: { 200: emojiShape },
    handle: ({ caller, params, body }, { world }) => {
      checkOwn(caller, params.application_id);
      const { id, name } = emojiOf(world.tables, params.application_id, params.emoji_id);
      const after = world.transaction(({ application_emojis: emojis }) =>
        emojis.update(id, { name: body.name ?? name }),
      );
      return ok(emojiAnswer(world.tables, after, true));
    },
  }),
  defineOperation({
    id: 'delete_application_emoji',
    summary: 'Deletes an emoji of the application.',
    route: `DELETE ${ONE}`,
    answers: { 204: null },
    handle: ({ caller, params }, { world }) => {
      checkOwn(caller, params.application_id);
      const { id } = emojiOf(world.tables, params.application_id, params.emoji_id);
      world.transaction(({ application_emojis: emojis }) => emojis.remove(id));
      return noContent();
    },
  }),
];
