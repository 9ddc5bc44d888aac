import type { StateRule } from '../api/world.ts';

/** Who is in a lobby no more is not in its call. */
export const endLobbyCalls: StateRule = ({ lobby_voice_states }, commit) => {
  for (const { lobby, user } of commit.of('lobby_members').removed) {
    lobby_voice_states.remove(`${lobby} ${user}`);
  }
};
