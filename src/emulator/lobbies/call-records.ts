import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';

/** Somebody in the call of a lobby. No voice is carried: it lasts as long as the emulator runs. */
export const lobbyVoiceStates = defineRecord({
  name: 'lobby_voice_states',
  noun: 'voice state in a lobby',
  key: ['lobby', 'user'],
  transient: true,
  indexes: { session: {} },
  references: { lobby: { to: 'lobbies', gone: 'remove' }, user: { to: 'users', gone: 'remove' } },
  schema: ({ table, anyText, orNull, flag }: SchemaParts) =>
    table({
      lobby: anyText(),
      user: anyText(),
      /** Id of the session at the gateway that they are in it by; null for one whom an operation put there. */
      session: orNull(anyText()),
      self_mute: flag(false),
      self_deaf: flag(false),
    }),
});

/** Somebody in the call of a lobby. */
export type LobbyVoiceState = RowOf<typeof lobbyVoiceStates>;
