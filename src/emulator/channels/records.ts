import { defineRecord, type Quality, type RowOf, type SchemaParts } from '../state/record.ts';

/** Channel type numbers by the names a fixture may use. Private channels are not part of a guild. */
const channelTypes = {
  text: 0,
  voice: 2,
  category: 4,
  announcement: 5,
  store: 6,
  stage: 13,
  directory: 14,
  forum: 15,
  media: 16,
} as const;

/** A channel of a guild. */
export const channels = defineRecord({
  name: 'channels',
  noun: 'channel',
  key: ['id'],
  within: { kind: 'guilds', as: 'channels', field: 'guild' },
  references: { deny: { to: 'users', gone: 'refuse' } },
  placed: 'position',
  spelled: { type: channelTypes },
  schema: (parts: SchemaParts) => {
    const { table, derived, snowflake, text, words, numberOrName } = parts;
    const { or, orNull, optional, position, flag, list, count } = parts;
    return derived(
      table({
        id: snowflake(),
        name: text(100),
        type: numberOrName(channelTypes),
        topic: orNull(words(1024)),
        /** Bits per second; 0 for a channel without voice. */
        bitrate: optional(count(384_000)),
        /** 0 is no limit. */
        user_limit: or(count(10_000), 0),
        /** A channel without one stands where it is written. */
        position: position(1_000_000),
        nsfw: flag(false),
        /** Ids of the users who cannot view it. */
        deny: list(text(64), 200_000),
      }),
      // One with voice gets the usual 64 kbit/s.
      (written) => ({ ...written, bitrate: written.bitrate ?? (hasVoice(written) ? 64_000 : 0) }),
    );
  },
});

/** A channel as written down. */
export type ChannelRecord = RowOf<typeof channels>;

/** Whether people can talk in a channel: guild voice or stage. */
export function hasVoice({ type }: { readonly type: number }): boolean {
  return type === channelTypes.voice || type === channelTypes.stage;
}

/** Whether people can write in a channel: guild text or announcement. */
export function hasText({ type }: { readonly type: number }): boolean {
  return type === channelTypes.text || type === channelTypes.announcement;
}

/** A channel that people can talk in. */
export const withVoice: Quality = { name: 'voice', of: hasVoice };
/** A channel that people can write in. */
export const withText: Quality = { name: 'messages', of: hasText };
