import * as z from 'zod';
import { type Dispatched, defineDispatch, everyBot } from '../../api/dispatch.ts';
import type { Committed, Reading } from '../../api/world.ts';
import { audienceOf } from '../channels/message-audience.ts';
import { voiceStateAnswer, voiceStateShape } from './answers.ts';
import type { Sound, VoiceState } from './records.ts';

function guildOf({ channels }: Reading, { channel }: Pick<VoiceState, 'channel'>): string | undefined {
  return channels.get(channel)?.guild;
}

/**
 * Compares the fields that the event contains. Speaking is not among them, because the voice server reports it, and
 * nicknames belong to the member.
 */
function isSameState(a: VoiceState, b: VoiceState): boolean {
  const keys = ['channel', 'mute', 'deaf', 'self_mute', 'self_deaf', 'suppress', 'request_to_speak'] as const;
  return keys.every((key) => a[key] === b[key]);
}

function* voiceStates(commit: Committed, tables: Reading): Generator<Dispatched> {
  const { created, updated, removed } = commit.of('voice_states');
  const left = (state: VoiceState, guild: string | undefined): Dispatched[] => {
    if (guild === undefined || !tables.guilds.has(guild) || !tables.users.has(state.user)) return [];
    return [
      {
        guild,
        canSee: everyBot,
        data: () => ({
          ...voiceStateAnswer(tables, guild, { ...state, suppress: false }),
          channel_id: null,
          request_to_speak_timestamp: null,
        }),
      },
    ];
  };
  const is = (state: VoiceState): Dispatched[] => {
    const guild = guildOf(tables, state);
    return guild === undefined
      ? []
      : [{ guild, canSee: everyBot, data: () => voiceStateAnswer(tables, guild, state) }];
  };
  const before = (state: VoiceState): string | undefined => commit.was('channels', state.channel)?.guild;
  for (const state of removed) yield* left(state, before(state));
  for (const { before: was, after } of updated) {
    const from = before(was);
    if (from !== guildOf(tables, after)) yield* left(was, from);
    if (!isSameState(was, after)) yield* is(after);
  }
  for (const state of created) yield* is(state);
  yield* ownPicture(commit, tables);
}

/** Event for a change of the logged-in user's video or stream, which is stored in the client state. */
function* ownPicture(commit: Committed, tables: Reading): Generator<Dispatched> {
  const [changed] = commit.of('client').updated;
  const own = tables.voice_states.get(tables.me.value);
  const guild = own === undefined ? undefined : guildOf(tables, own);
  if (changed === undefined || own === undefined || guild === undefined) return;
  const { before, after } = changed;
  const isSame =
    before.video_active === after.video_active && before.screenshare.active === after.screenshare.active;
  if (!isSame) yield { guild, canSee: everyBot, data: () => voiceStateAnswer(tables, guild, own) };
}

/** Event for a change of one field of a channel, for bots that can view the channel. */
function* ofChannel(
  commit: Committed,
  tables: Reading,
  field: 'status' | 'voice_start_time',
  payload: (value: string | undefined) => object,
): Generator<Dispatched> {
  for (const { before, after } of commit.of('channels').updated) {
    if (before[field] === after[field]) continue;
    const data = { id: after.id, guild_id: after.guild, ...payload(after[field]) };
    yield {
      guild: after.guild,
      canSee: audienceOf(tables, after.id)?.canSee ?? (() => false),
      data: () => data,
    };
  }
}

/** A sound that is played in a call. No row of the state stores it, so the operation emits the event directly. */
export const voiceChannelEffectSend = defineDispatch({
  event: 'VOICE_CHANNEL_EFFECT_SEND',
  summary: 'A bot played a sound in a voice channel.',
  intents: ['GUILD_VOICE_STATES'],
  tables: [],
  ours: 'Sent to users who can view the channel. Emoji effects, which only clients send, are not part of it.',
  shape: z.object({
    channel_id: z.string(),
    guild_id: z.string(),
    user_id: z.string(),
    emoji: z.nullable(z.object({ id: z.nullable(z.string()), name: z.nullable(z.string()) })),
    sound_id: z.string(),
    sound_volume: z.number(),
  }),
});

/** The event of a sound, with its audience. */
export function soundDispatch(
  tables: Reading,
  { channel, guild, user }: { readonly channel: string; readonly guild: string; readonly user: string },
  { id, volume, emoji_id, emoji_name }: Sound,
): Dispatched {
  const data = {
    channel_id: channel,
    guild_id: guild,
    user_id: user,
    emoji: emoji_id === null && emoji_name === null ? null : { id: emoji_id, name: emoji_name },
    sound_id: id,
    sound_volume: volume,
  };
  return { guild, canSee: audienceOf(tables, channel)?.canSee ?? (() => false), data: () => data };
}

/** Gateway events of calls. */
export const voiceDispatches = [
  defineDispatch({
    event: 'VOICE_STATE_UPDATE',
    summary: 'A user joined or left a voice channel, or their voice state changed.',
    intents: ['GUILD_VOICE_STATES'],
    tables: ['voice_states', 'client'],
    ours: 'Sent to every member, whatever channels they can view. Voice servers report who is speaking, and there are none here.',
    shape: voiceStateShape.extend({ channel_id: z.nullable(z.string()) }),
    derive: (commit, { world }) => voiceStates(commit, world.tables),
  }),
  defineDispatch({
    event: 'VOICE_SERVER_UPDATE',
    summary: 'Voice server for the channel that the bot joined.',
    intents: [],
    tables: ['voice_states'],
    ours: 'No voice is carried here: `endpoint` is null, which on the platform means that no server is allocated.',
    shape: z.object({ token: z.string(), guild_id: z.string(), endpoint: z.null() }),
    *derive(commit, { world: { tables } }) {
      const { created, updated } = commit.of('voice_states');
      const moved = updated.filter(
        ({ before, after }) => commit.was('channels', before.channel)?.guild !== guildOf(tables, after),
      );
      for (const state of [...created, ...moved.map(({ after }) => after)]) {
        const guild = guildOf(tables, state);
        if (guild === undefined || tables.users.get(state.user)?.bot !== true) continue;
        yield {
          guild,
          canSee: ({ kind, user }) => kind === 'bot' && user === state.user,
          data: () => ({ token: `emulator.voice.${state.user}`, guild_id: guild, endpoint: null }),
        };
      }
    },
  }),
  defineDispatch({
    event: 'VOICE_CHANNEL_STATUS_UPDATE',
    summary: 'The status of a voice channel changed.',
    intents: ['GUILDS'],
    tables: ['channels'],
    ours: 'Sent to users who can view the channel.',
    shape: z.object({ id: z.string(), guild_id: z.string(), status: z.nullable(z.string()) }),
    derive: (commit, { world }) =>
      ofChannel(commit, world.tables, 'status', (status) => ({ status: status ?? null })),
  }),
  defineDispatch({
    event: 'VOICE_CHANNEL_START_TIME_UPDATE',
    summary: 'The first user joined a voice channel, or the last left it.',
    intents: ['GUILDS'],
    tables: ['channels'],
    ours: 'In whole seconds since the Unix epoch, and null when the last user has left. Sent to users who can view the channel.',
    shape: z.object({ id: z.string(), guild_id: z.string(), voice_start_time: z.nullable(z.int()) }),
    derive: (commit, { world }) =>
      ofChannel(commit, world.tables, 'voice_start_time', (since) => ({
        voice_start_time: since === undefined ? null : Math.floor(Date.parse(since) / 1000),
      })),
  }),
];
