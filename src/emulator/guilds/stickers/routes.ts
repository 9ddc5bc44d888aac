import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { clearable, fault, text, textUpTo } from '../../api/fields.ts';
import { anybody, noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base, Reading } from '../../api/world.ts';
import type { HasFileStore } from '../../files/store.ts';
import { withStored } from '../../files/stored.ts';
import { AUDIT, logged } from '../audit/audit.ts';
import { canSeeCreators, limitOf, needChange, needCreate } from '../expressions/rights.ts';
import { requestingMember } from '../guild-access.ts';
import { isIn } from '../members/membership.ts';
import {
  packAnswer,
  packShape,
  packStickerAnswer,
  packStickerShape,
  stickerAnswer,
  stickerShape,
} from './answers.ts';
import { stickerFile } from './file.ts';
import type { Sticker } from './records.ts';

const defineOperation = operationsFor<Base & HasFileStore>();

const MAX_STICKER_BYTES = 512 * 1024;

/** Description: empty, or 2 to 100 characters long. */
const description = textUpTo(100).refine(
  (value) => value.length !== 1,
  fault('BASE_TYPE_BAD_LENGTH', 'Must be between 2 and 100 in length.'),
);

/** A sticker of the guild. @throws ApiError 10060 for an unknown sticker. */
function stickerIn({ stickers }: Reading, guildId: string, id: string): Sticker {
  const sticker = stickers.get(id);
  if (sticker?.guild !== guildId) throw new ApiError('UnknownSticker');
  return sticker;
}

function logView(id: string) {
  return (tables: Reading) => {
    const sticker = tables.stickers.get(id);
    return sticker && stickerAnswer(tables, sticker, false);
  };
}

/** Routes of stickers. */
export const stickerOperations = [
  defineOperation({
    id: 'list_guild_stickers',
    summary: 'Stickers of a guild; with their creators for members who may create or manage them.',
    route: 'GET /guilds/{guild_id}/stickers',
    answers: { 200: z.array(stickerShape) },
    handle: ({ caller, params }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { tables } = platform.world;
      const all = [...tables.stickers.by('guild', who.guild.id)];
      return ok(all.map((sticker) => stickerAnswer(tables, sticker, canSeeCreators(who))));
    },
  }),
  defineOperation({
    id: 'get_guild_sticker',
    summary: 'A sticker of a guild.',
    route: 'GET /guilds/{guild_id}/stickers/{sticker_id}',
    answers: { 200: stickerShape },
    handle: ({ caller, params }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { tables } = platform.world;
      return ok(
        stickerAnswer(tables, stickerIn(tables, who.guild.id, params.sticker_id), canSeeCreators(who)),
      );
    },
  }),
  defineOperation({
    id: 'create_guild_sticker',
    summary:
      'Creates a sticker from a PNG, APNG, GIF or Lottie file: at most 320 by 320 pixels, 512 KiB and 5 seconds.',
    route: 'POST /guilds/{guild_id}/stickers',
    body: z.object({ name: text(2, 30), tags: text(1, 200), description: clearable(description) }),
    bodyKinds: ['multipart'],
    files: {
      fields: ['file'],
      maxCount: 1,
      maxFileBytes: MAX_STICKER_BYTES,
      request: MAX_STICKER_BYTES + 64 * 1024,
    },
    ours: 'The file type is detected from the bytes. A larger picture is refused with 50046, and Lottie in a guild that is neither verified nor partnered with GUILD_FEATURE_MISSING.',
    answers: { 201: stickerShape },
    handle: ({ caller, params, body, files, reason }, platform) => {
      const { guild } = needCreate(requestingMember(caller, params.guild_id, platform));
      const upload = stickerFile(files, guild);
      const { world } = platform;
      return withStored(platform, upload, (file) => {
        // The state may have changed while the file was stored, so everything is checked again.
        const who = needCreate(requestingMember(caller, params.guild_id, platform));
        const maxStickers = limitOf(who.guild, 'stickers');
        if (world.tables.stickers.by('guild', who.guild.id).size >= maxStickers) {
          throw new ApiError('MaximumNumberOfStickersReached', { limit: maxStickers });
        }
        const { stickers, pack_stickers } = world.tables;
        const id = world.ids.next(who.now, (taken) => stickers.has(taken) || pack_stickers.has(taken));
        const deed = { action: AUDIT.STICKER_CREATE, target: id, reason };
        const made = logged(world, who, deed, logView(id), (tables) =>
          tables.stickers.insert({
            id,
            guild: who.guild.id,
            name: body.name,
            description: body.description ?? '',
            tags: body.tags,
            format: upload.format,
            available: true,
            user: who.member.user,
            file,
          }),
        );
        return { status: 201, body: stickerAnswer(world.tables, made, true) };
      });
    },
  }),
  defineOperation({
    id: 'update_guild_sticker',
    summary: 'Changes the fields of a sticker.',
    route: 'PATCH /guilds/{guild_id}/stickers/{sticker_id}',
    body: z.object({
      name: z.optional(text(2, 30)),
      tags: z.optional(text(1, 200)),
      description: clearable(description),
    }),
    answers: { 200: stickerShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { world } = platform;
      const before = stickerIn(world.tables, who.guild.id, params.sticker_id);
      needChange(who, before);
      const { name = before.name, tags = before.tags } = body;
      const description = body.description === undefined ? before.description : (body.description ?? '');
      const deed = { action: AUDIT.STICKER_UPDATE, target: before.id, reason };
      const after = logged(world, who, deed, logView(before.id), ({ stickers }) =>
        stickers.update(before.id, { name, tags, description }),
      );
      return ok(stickerAnswer(world.tables, after, true));
    },
  }),
  defineOperation({
    id: 'delete_guild_sticker',
    summary: 'Deletes a sticker.',
    route: 'DELETE /guilds/{guild_id}/stickers/{sticker_id}',
    answers: { 204: null },
    handle: ({ caller, params, reason }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { world } = platform;
      const sticker = stickerIn(world.tables, who.guild.id, params.sticker_id);
      needChange(who, sticker);
      const { id } = sticker;
      const deed = { action: AUDIT.STICKER_DELETE, target: id, reason };
      logged(world, who, deed, logView(id), ({ stickers }) => stickers.remove(id));
      return noContent();
    },
  }),
  defineOperation({
    id: 'get_sticker',
    summary: 'A sticker of a pack, or of a guild of the bot.',
    route: 'GET /stickers/{sticker_id}',
    ours: 'A sticker of any other guild is unknown.',
    answers: { 200: z.union([stickerShape, packStickerShape]) },
    handle: ({ caller, params }, { world: { tables } }) => {
      const standard = tables.pack_stickers.get(params.sticker_id);
      if (standard !== undefined) return ok(packStickerAnswer(standard));
      const sticker = tables.stickers.get(params.sticker_id);
      if (sticker === undefined || !isIn(tables, sticker.guild, caller.user.id))
        throw new ApiError('UnknownSticker');
      return ok(stickerAnswer(tables, sticker, false));
    },
  }),
  defineOperation({
    id: 'list_sticker_packs',
    summary: 'Sticker packs that all users may send.',
    route: 'GET /sticker-packs',
    who: [anybody],
    ours: "The packs are those of the fixture: the platform's own are not part of this emulator.",
    answers: { 200: z.object({ sticker_packs: z.array(packShape) }) },
    handle: (_, { world: { tables } }) =>
      ok({ sticker_packs: [...tables.sticker_packs].map((pack) => packAnswer(tables, pack)) }),
  }),
  defineOperation({
    id: 'get_sticker_pack',
    summary: 'A sticker pack.',
    route: 'GET /sticker-packs/{pack_id}',
    answers: { 200: packShape },
    handle: ({ params }, { world: { tables } }) => {
      const pack = tables.sticker_packs.get(params.pack_id);
      if (pack === undefined) throw new ApiError('UnknownStickerPack');
      return ok(packAnswer(tables, pack));
    },
  }),
];
