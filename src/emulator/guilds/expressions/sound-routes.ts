import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { clearable, fault, snowflake, text } from '../../api/fields.ts';
import { noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base, Reading } from '../../api/world.ts';
import { dataUri } from '../../files/data-uri.ts';
import { type SoundFile, soundOf } from '../../files/sound.ts';
import type { HasFileStore } from '../../files/store.ts';
import { withStored } from '../../files/stored.ts';
import { AUDIT, logged } from '../audit/audit.ts';
import { isUnicodeEmoji } from '../emoji/emoji-text.ts';
import { requestingMember } from '../guild-access.ts';
import type { Sound } from '../voice/records.ts';
import { canSeeCreators, limitOf, needChange, needCreate } from './rights.ts';
import { soundAnswer, soundShape } from './sound-answers.ts';

const MAX_SOUND_BYTES = 512 * 1024;
const MAX_SOUND_MS = 5200;

/**
 * Maximum size of a request with a sound, in bytes. It is larger than the limit of the sound, so that a slightly too
 * large sound fails with its own error code.
 */
const MAX_SOUND_REQUEST_BYTES = 2 * 1024 * 1024;

/** A validated sound from a request. @throws ApiError for a file that is too large, too long, or not a sound. */
function checkedSound(bytes: Buffer): SoundFile & { readonly bytes: Buffer } {
  if (bytes.length > MAX_SOUND_BYTES) throw new ApiError('FileUploadedExceedsMaximumSize');
  const sound = soundOf(bytes);
  if (sound === undefined) throw new ApiError('ProvidedFileTypeIsInvalid');
  if (sound.duration > MAX_SOUND_MS) throw new ApiError('ProvidedFileDurationExceedsMaximumLength');
  return { ...sound, bytes };
}

const defineOperation = operationsFor<Base & HasFileStore>();

const volume = clearable(
  z
    .number()
    .refine(
      (value) => value >= 0,
      fault('NUMBER_TYPE_MIN', 'float value should be greater than or equal to 0.'),
    )
    .refine((value) => value <= 1, fault('NUMBER_TYPE_MAX', 'float value should be less than or equal to 1.'))
    .meta({ minimum: 0, maximum: 1 }),
);
const emoji = { emoji_id: clearable(snowflake()), emoji_name: clearable(text(1, 32)) };

interface EmojiRequest {
  readonly emoji_id?: string | null | undefined;
  readonly emoji_name?: string | null | undefined;
}

/** Emoji of a sound: an emoji of the guild, a Unicode emoji, or none. @throws ApiError 50151 for any other emoji. */
function emojiFields(
  { emojis }: Reading,
  guildId: string,
  request: EmojiRequest,
  before: Pick<Sound, 'emoji_id' | 'emoji_name'>,
) {
  const { emoji_id, emoji_name } = request;
  if (emoji_id === undefined && emoji_name === undefined) {
    return { emoji_id: before.emoji_id, emoji_name: before.emoji_name };
  }
  const isKnown = emoji_id == null || emojis.get(emoji_id)?.guild === guildId;
  const isEmoji = emoji_name == null || isUnicodeEmoji(emoji_name);
  if (!isKnown || !isEmoji) throw new ApiError('SpecifiedEmojiIsInvalid');
  return { emoji_id: emoji_id ?? null, emoji_name: emoji_id == null ? (emoji_name ?? null) : null };
}

/** A sound of the guild. @throws ApiError 10097 for an unknown sound. */
function soundIn({ soundboard_sounds: sounds }: Reading, guildId: string, id: string): Sound {
  const sound = sounds.get(id);
  if (sound?.guild !== guildId) throw new ApiError('UnknownSound');
  return sound;
}

function logView(id: string) {
  return (tables: Reading) => {
    const sound = tables.soundboard_sounds.get(id);
    return sound && soundAnswer(tables, sound, false);
  };
}

const ALL = '/guilds/{guild_id}/soundboard-sounds';
const ONE = '/guilds/{guild_id}/soundboard-sounds/{sound_id}';

/** Routes of soundboard sounds. */
export const soundOperations = [
  defineOperation({
    id: 'get_soundboard_default_sounds',
    summary: 'Default sounds, which all users may play.',
    route: 'GET /soundboard-default-sounds',
    ours: "The sounds are those of the fixture without a guild: the platform's own are not part of this emulator.",
    answers: { 200: z.array(soundShape) },
    handle: (_, { world: { tables } }) => {
      const all = [...tables.soundboard_sounds].filter(({ guild }) => guild === null);
      return ok(all.map((sound) => soundAnswer(tables, sound, false)));
    },
  }),
  defineOperation({
    id: 'list_guild_soundboard_sounds',
    summary: 'Sounds of a guild; with their creators for members who may create or manage them.',
    route: `GET ${ALL}`,
    answers: { 200: z.object({ items: z.array(soundShape) }) },
    handle: ({ caller, params }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { tables } = platform.world;
      const all = [...tables.soundboard_sounds.by('guild', who.guild.id)];
      return ok({ items: all.map((sound) => soundAnswer(tables, sound, canSeeCreators(who))) });
    },
  }),
  defineOperation({
    id: 'get_guild_soundboard_sound',
    summary: 'A sound of a guild.',
    route: `GET ${ONE}`,
    answers: { 200: soundShape },
    handle: ({ caller, params }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { tables } = platform.world;
      return ok(soundAnswer(tables, soundIn(tables, who.guild.id, params.sound_id), canSeeCreators(who)));
    },
  }),
  defineOperation({
    id: 'create_guild_soundboard_sound',
    summary: 'Creates a sound from an MP3 or Ogg file of at most 512 KiB and 5.2 seconds.',
    route: `POST ${ALL}`,
    body: z.object({
      name: text(2, 32),
      volume,
      ...emoji,
      sound: dataUri('audio', { code: 'SOUND_INVALID', message: 'Unsupported sound type given' }),
    }),
    maxBodyBytes: MAX_SOUND_REQUEST_BYTES,
    ours: 'File type and duration are detected from the bytes. The custom emoji of a sound belongs to its guild.',
    answers: { 201: soundShape },
    handle: ({ caller, params, body, reason }, platform) => {
      needCreate(requestingMember(caller, params.guild_id, platform));
      const { world } = platform;
      return withStored(platform, checkedSound(body.sound), (file) => {
        // The state may have changed while the file was stored, so everything is checked again.
        const who = needCreate(requestingMember(caller, params.guild_id, platform));
        const { guild, member, now } = who;
        const maxSounds = limitOf(guild, 'sounds');
        if (world.tables.soundboard_sounds.by('guild', guild.id).size >= maxSounds) {
          throw new ApiError('MaximumNumberOfSoundboardSoundsReached', { limit: maxSounds });
        }
        const none = { emoji_id: null, emoji_name: null };
        const fields = emojiFields(world.tables, guild.id, body, none);
        const id = world.ids.next(now, (taken) => world.tables.soundboard_sounds.has(taken));
        const deed = { action: AUDIT.SOUNDBOARD_SOUND_CREATE, target: id, reason };
        const made = logged(world, who, deed, logView(id), ({ soundboard_sounds }) =>
          soundboard_sounds.insert({
            id,
            name: body.name,
            guild: guild.id,
            volume: body.volume ?? 1,
            available: true,
            ...fields,
            user: member.user,
            file,
          }),
        );
        return { status: 201, body: soundAnswer(world.tables, made, true) };
      });
    },
  }),
  defineOperation({
    id: 'update_guild_soundboard_sound',
    summary: 'Changes the fields and the volume of a sound.',
    route: `PATCH ${ONE}`,
    body: z.object({ name: z.optional(text(2, 32)), volume, ...emoji }),
    answers: { 200: soundShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { world } = platform;
      const before = soundIn(world.tables, who.guild.id, params.sound_id);
      needChange(who, before);
      const fields = {
        name: body.name ?? before.name,
        volume: body.volume === undefined ? before.volume : (body.volume ?? 1),
        ...emojiFields(world.tables, who.guild.id, body, before),
      };
      const deed = { action: AUDIT.SOUNDBOARD_SOUND_UPDATE, target: before.id, reason };
      const after = logged(world, who, deed, logView(before.id), ({ soundboard_sounds }) =>
        soundboard_sounds.update(before.id, fields),
      );
      return ok(soundAnswer(world.tables, after, true));
    },
  }),
  defineOperation({
    id: 'delete_guild_soundboard_sound',
    summary: 'Deletes a sound.',
    route: `DELETE ${ONE}`,
    answers: { 204: null },
    handle: ({ caller, params, reason }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { world } = platform;
      const sound = soundIn(world.tables, who.guild.id, params.sound_id);
      needChange(who, sound);
      const { id } = sound;
      const deed = { action: AUDIT.SOUNDBOARD_SOUND_DELETE, target: id, reason };
      logged(world, who, deed, logView(id), ({ soundboard_sounds }) => soundboard_sounds.remove(id));
      return noContent();
    },
  }),
];
