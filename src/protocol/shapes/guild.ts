import * as z from 'zod';
import { once } from '../../base/once.ts';
import { user } from './common.ts';

/** Guild in the answers of GET_GUILDS and in GUILD_STATUS. */
export const partialGuild = once(() =>
  z.looseObject({ id: z.string(), name: z.string(), icon_url: z.nullable(z.string()) }),
);

/** Guild in the answer of GET_GUILD; `members` is always empty (deprecated in 2018). */
export const guild = once(() =>
  partialGuild().extend({ members: z.array(z.unknown()), vanity_url_code: z.nullable(z.string()) }),
);

/** Channel in the answer of GET_CHANNELS. */
export const partialChannel = once(() => z.looseObject({ id: z.string(), name: z.string(), type: z.int() }));

/** A user's voice state in a channel as this client sees it: `mute`, `volume` and `pan` are local settings. */
export const voiceState = once(() =>
  z.looseObject({
    nick: z.string(),
    mute: z.boolean(),
    volume: z.number(),
    pan: z.optional(z.looseObject({ left: z.number(), right: z.number() })),
    voice_state: z.looseObject({
      mute: z.boolean(),
      deaf: z.boolean(),
      self_mute: z.boolean(),
      self_deaf: z.boolean(),
      suppress: z.boolean(),
    }),
    user: user(),
  }),
);

/** Channel in the answer of GET_CHANNEL. */
export const channel = once(() =>
  partialChannel().extend({
    topic: z.nullable(z.string()),
    bitrate: z.int(),
    user_limit: z.int(),
    guild_id: z.nullable(z.string()),
    position: z.int(),
    /** Status text of a voice channel, and the time since which it has had users (Unix time in seconds). */
    status: z.optional(z.nullable(z.string())),
    voice_start_time: z.optional(z.nullable(z.int())),
    messages: z.array(z.looseObject({ id: z.string() })),
    voice_states: z.array(voiceState()),
  }),
);
