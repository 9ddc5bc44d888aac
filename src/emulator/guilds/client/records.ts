import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import { withText } from '../channels/records.ts';

/** Overlay of one process; the default is disabled and locked. */
export const overlays = defineRecord({
  name: 'overlays',
  noun: 'overlay',
  about: 'the overlay over a process',
  key: ['pid'],
  schema: ({ table, count, flag }: SchemaParts) =>
    table({ pid: count(2 ** 31 - 1), enabled: flag(true), locked: flag(true) }),
});

/** State of the chat client itself: its window, its network and its settings. */
export const client = defineRecord({
  name: 'client',
  noun: 'client',
  about: 'the state of the chat client: who is logged in, its network, language, layout and channel',
  singleton: true,
  references: {
    text_channel: { to: 'channels', onRemoval: 'null', needs: withText },
    voice_chat: { to: 'channels', onRemoval: 'null' },
  },
  schema: ({ section, flag, orNull, or, text, matching, choice, count, whole, snowflake }: SchemaParts) =>
    section({
      /** False if no user is logged in; then no app is admitted. */
      logged_in: flag(true),
      /** IETF language tag; null for the language of the user. */
      locale: orNull(text(16)),
      /** Release of the voice library. From release 1.6 on, a call survives a network interruption. */
      sdk_release: or(matching(/^\d{1,3}\.\d{1,3}(\.\d{1,6})?$/, 'must be a release such as "1.10"'), '1.10'),
      network: or(choice('up', 'down'), 'up'),
      /** Duration of joining a voice channel or displaying a text channel, in milliseconds. */
      select_delay_ms: or(count(600_000), 0),
      /** Duration of the lookup of a guild, in milliseconds. */
      guild_delay_ms: or(count(600_000), 0),
      /** Id of the text channel that the client displays. */
      text_channel: orNull(snowflake()),
      /** Id of the voice channel whose chat the client displays. */
      voice_chat: orNull(snowflake()),
      video_active: flag(false),
      screenshare: section({
        active: flag(false),
        pid: orNull(count(2 ** 31 - 1)),
        /** Name of the application whose window the user shares. */
        application: orNull(text(128)),
      }),
      /** Layout: 0 focused, 1 picture in picture, 2 grid. */
      layout_mode: or(count(2), 0),
      pip_mode: flag(false),
      /** 0 nominal … 3 critical. */
      thermal_state: or(count(3), 0),
      /** Screen orientation: 1 unlocked, 2 portrait, 3 landscape. */
      screen_orientation: or(whole(1, 3), 3),
    }),
});

/** Overlay of one process. */
export type Overlay = RowOf<typeof overlays>;
/** The chat client itself. */
export type ClientState = RowOf<typeof client>;
