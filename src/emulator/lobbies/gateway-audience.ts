import type { GatewayListener } from '../api/dispatch.ts';

/** Scope with which a game receives the lobbies of its user. */
const SCOPE = 'lobbies.write';

/** Audience of an event: sessions of the selected users that belong to the application of a lobby. */
export function toThose(
  application: string,
  isOne: (user: string) => boolean,
): (listener: GatewayListener) => boolean {
  return (listener) =>
    mayKnowLobbies(listener) && listener.application.id === application && isOne(listener.user);
}

/** Whether a session receives the lobbies of its user. */
export function mayKnowLobbies({ kind, scopes }: GatewayListener): boolean {
  return kind === 'bearer' && scopes.includes(SCOPE);
}
