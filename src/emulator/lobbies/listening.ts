import type { GatewayListener } from '../api/dispatch.ts';

/** What a token has to allow for a game to be told of the lobbies of its user. */
const SCOPE = 'lobbies.write';

/** The sessions, through the application of a lobby, of those people. */
export function toThose(
  application: string,
  isOne: (user: string) => boolean,
): (listener: GatewayListener) => boolean {
  return (listener) =>
    mayKnowLobbies(listener) && listener.application.id === application && isOne(listener.user);
}

/** Whether a session may know of the lobbies of its user. */
export function mayKnowLobbies({ kind, scopes }: GatewayListener): boolean {
  return kind === 'bearer' && scopes.includes(SCOPE);
}
