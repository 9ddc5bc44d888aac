import type { SessionStatus } from '../../data/status.ts';

/** Connections of one application. */
export interface ConnectedApp {
  readonly key: string;
  readonly clientId: string | null;
  readonly name: string;
  readonly sessions: readonly SessionStatus[];
}

/** Connected applications in the order of their first sessions; a session without an application stands alone. */
export function appsOf(sessions: readonly SessionStatus[]): readonly ConnectedApp[] {
  const apps = new Map<string, ConnectedApp>();
  for (const session of sessions) {
    const { id, clientId, application, program } = session;
    const key = clientId ?? id;
    const found = apps.get(key);
    const name = application ?? clientId ?? program ?? 'an app that has not said who it is';
    if (found === undefined) apps.set(key, { key, clientId, name, sessions: [session] });
    else apps.set(key, { ...found, sessions: [...found.sessions, session] });
  }
  return [...apps.values()];
}

/** First letters of at most two words of a name. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase();
}
