import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';

/** Voice state in the call of a lobby. The call carries no voice data, and the state is not saved. */
export const lobbyVoiceStates = defineRecord({
  name: 'lobby_voice_states',
  noun: 'voice state in a lobby',
  key: ['lobby', 'user'],
  transient: true,
  indexes: { session: {} },
  references: { lobby: { to: 'lobbies', onRemoval: 'remove' }, user: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, anyText, orNull, flag }: SchemaParts) =>
    table({
      lobby: anyText(),
      user: anyText(),
      /** Id of the gateway session that joined the call; null when an operator operation made the user join. */
      session: orNull(anyText()),
      self_mute: flag(false),
      self_deaf: flag(false),
    }),
});

/** Voice state in the call of a lobby. */
export type LobbyVoiceState = RowOf<typeof lobbyVoiceStates>;
