import { ids } from '../../../helpers/emulator-world.ts';
import { inGuild, ROLES } from '../../../helpers/guild-platform.ts';
import { dataUri, gif, mp3, png, stickerForm } from '../../../helpers/media-bytes.ts';
import { APP, type PlatformRequest, type TestPlatform } from '../../../helpers/platform.ts';
import type { Asked } from './asked-messages.ts';

const GUILD = `/guilds/${ids.riverBank}`;
const OWN = `/applications/${APP}/emojis`;

const EMOJI = { id: '970', name: 'wave', roles: [ROLES.crew], user: 'otter', animated: true };
const STICKER = { id: '971', name: 'wave', format: 'png', tags: 'hello', user: 'otter' };
const PACK = {
  id: '972',
  sku: '973',
  name: 'Waves',
  cover_sticker: '974',
  stickers: [{ id: '974', name: 'swell', format: 'lottie', tags: 'sea, wave' }],
};

const STAGE = '977';
const EVENTS = `${GUILD}/scheduled-events`;
const SOON = '2040-01-04T18:00:00.000Z';
const WEEKLY = { start: SOON, frequency: 2, interval: 1, by_weekday: [2] };
const EVENT = {
  id: '978',
  name: 'Low tide',
  type: 'external',
  location: 'The pier',
  start: SOON,
  end: '2040-01-04T20:00:00.000Z',
  creator: 'otter',
  recurrence: WEEKLY,
  users: [{ user: 'otter' }, { user: 'heron' }],
  exceptions: [{ id: '3312859270348800000', canceled: true, users: [{ user: 'otter' }] }],
};

/** Asked by a bot that may everything, in a guild that has some expressions. */
function asked(what: string, request: PlatformRequest = {}): Asked {
  return async (platform: TestPlatform) => {
    const { guild, emulator, bot } = await inGuild(platform, ['ADMINISTRATOR']);
    const channels = [{ id: STAGE, name: 'stage', type: 'stage' }];
    await guild({ emojis: [EMOJI], stickers: [STICKER], channels, scheduled_events: [EVENT] });
    await emulator.apply({
      sticker_packs: [PACK],
      soundboard_sounds: [{ id: '976', name: 'bell', guild: ids.riverBank, user: 'otter', emoji_id: '970' }],
      voice_states: [
        { user: APP, channel: ids.lounge },
        { user: 'otter', channel: STAGE, suppress: true },
      ],
      stage_instances: [{ id: '979', channel: STAGE, topic: 'Tides' }],
      application_emojis: [{ id: '975', name: 'own', application: APP, user: APP }],
    });
    return [what, { headers: bot(), ...request }];
  };
}

/** How each operation of emoji, stickers and the like is asked by somebody who may. */
export const expressionAsked: Readonly<Record<string, Asked>> = {
  list_guild_emojis: asked(`GET ${GUILD}/emojis`),
  get_guild_emoji: asked(`GET ${GUILD}/emojis/970`),
  create_guild_emoji: asked(`POST ${GUILD}/emojis`, { json: { name: 'swell', image: dataUri(gif()) } }),
  update_guild_emoji: asked(`PATCH ${GUILD}/emojis/970`, { json: { name: 'swell', roles: null } }),
  delete_guild_emoji: asked(`DELETE ${GUILD}/emojis/970`),
  list_application_emojis: asked(`GET ${OWN}`),
  get_application_emoji: asked(`GET ${OWN}/975`),
  create_application_emoji: asked(`POST ${OWN}`, { json: { name: 'swell', image: dataUri(png()) } }),
  update_application_emoji: asked(`PATCH ${OWN}/975`, { json: { name: 'swell' } }),
  delete_application_emoji: asked(`DELETE ${OWN}/975`),
  list_guild_stickers: asked(`GET ${GUILD}/stickers`),
  get_guild_sticker: asked(`GET ${GUILD}/stickers/971`),
  create_guild_sticker: asked(`POST ${GUILD}/stickers`, { body: stickerForm(png()) }),
  update_guild_sticker: asked(`PATCH ${GUILD}/stickers/971`, { json: { description: null } }),
  delete_guild_sticker: asked(`DELETE ${GUILD}/stickers/971`),
  get_soundboard_default_sounds: asked('GET /soundboard-default-sounds'),
  list_guild_soundboard_sounds: asked(`GET ${GUILD}/soundboard-sounds`),
  get_guild_soundboard_sound: asked(`GET ${GUILD}/soundboard-sounds/976`),
  create_guild_soundboard_sound: asked(`POST ${GUILD}/soundboard-sounds`, {
    json: { name: 'foghorn', sound: dataUri(mp3(), 'audio/mpeg'), emoji_name: '🌊', volume: null },
  }),
  update_guild_soundboard_sound: asked(`PATCH ${GUILD}/soundboard-sounds/976`, { json: { volume: 0.25 } }),
  delete_guild_soundboard_sound: asked(`DELETE ${GUILD}/soundboard-sounds/976`),
  send_soundboard_sound: asked(`POST /channels/${ids.lounge}/send-soundboard-sound`, {
    json: { sound_id: '976' },
  }),
  list_guild_scheduled_events: asked(`GET ${EVENTS}?with_user_count=true`),
  get_guild_scheduled_event: asked(`GET ${EVENTS}/978`),
  create_guild_scheduled_event: asked(`POST ${EVENTS}`, {
    json: {
      name: 'High tide',
      privacy_level: 2,
      entity_type: 2,
      channel_id: ids.lounge,
      scheduled_start_time: SOON,
      image: dataUri(png()),
      recurrence_rule: { ...WEEKLY, interval: 2 },
    },
  }),
  update_guild_scheduled_event: asked(`PATCH ${EVENTS}/978`, { json: { status: 2, description: 'Wet' } }),
  delete_guild_scheduled_event: asked(`DELETE ${EVENTS}/978`),
  create_guild_scheduled_event_exception: asked(`POST ${EVENTS}/978/exceptions`, {
    json: { original_scheduled_start_time: '2040-01-18T18:00:00Z', is_canceled: true },
  }),
  update_guild_scheduled_event_exception: asked(`PATCH ${EVENTS}/978/exceptions/3312859270348800000`, {
    json: { scheduled_start_time: '2040-01-11T19:00:00Z', is_canceled: null },
  }),
  delete_guild_scheduled_event_exception: asked(`DELETE ${EVENTS}/978/exceptions/3312859270348800000`),
  list_guild_scheduled_event_users: asked(`GET ${EVENTS}/978/users?with_member=true`),
  list_guild_scheduled_event_exception_users: asked(`GET ${EVENTS}/978/3312859270348800000/users`),
  count_guild_scheduled_event_users: asked(
    `GET ${EVENTS}/978/users/counts?guild_scheduled_event_exception_ids=3312859270348800000`,
  ),
  create_stage_instance: (platform) =>
    asked('POST /stage-instances', { json: { channel_id: STAGE, topic: 'Tides' } })(platform).then(
      async (request) => {
        await platform.emulator.apply({ stage_instances: [{ channel: STAGE, remove: true }] });
        return request;
      },
    ),
  get_stage_instance: asked(`GET /stage-instances/${STAGE}`),
  update_stage_instance: asked(`PATCH /stage-instances/${STAGE}`, { json: { topic: 'Moons' } }),
  delete_stage_instance: asked(`DELETE /stage-instances/${STAGE}`),
  get_self_voice_state: asked(`GET ${GUILD}/voice-states/@me`),
  get_voice_state: asked(`GET ${GUILD}/voice-states/${ids.otter}`),
  update_voice_state: asked(`PATCH ${GUILD}/voice-states/${ids.otter}`, { json: { suppress: false } }),
  update_self_voice_state: (platform) =>
    asked(`PATCH ${GUILD}/voice-states/@me`, { json: { request_to_speak_timestamp: SOON } })(platform).then(
      async (request) => {
        await platform.emulator.apply({ voice_states: [{ user: APP, channel: STAGE, suppress: true }] });
        return request;
      },
    ),
  get_sticker: asked('GET /stickers/974'),
  list_sticker_packs: asked('GET /sticker-packs'),
  get_sticker_pack: asked('GET /sticker-packs/972'),
};
