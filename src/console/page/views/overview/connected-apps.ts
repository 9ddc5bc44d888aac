import { type AppNames, isOfProgram } from '../../data/app-names.ts';
import type { FiguresOfApp, Rates } from '../../data/rates.ts';
import type { SessionStatus } from '../../data/status.ts';

/** Maximum of applications without a session. */
const MAX_OTHERS = 20;

/** Connections of one application; none of an application that has ended, or that uses the gateway or HTTP only. */
export interface ConnectedApp {
  readonly key: string;
  readonly clientId: string | null;
  readonly name: string;
  readonly sessions: readonly SessionStatus[];
  readonly figures?: FiguresOfApp | undefined;
}

/**
 * Applications: the connected ones in the order of their first sessions, bots, and those that have ended, the last one
 * first. A session without an application stands alone.
 */
export function appsOf(
  sessions: readonly SessionStatus[],
  rates: Pick<Rates, 'apps' | 'ofApp'>,
  names: AppNames,
): readonly ConnectedApp[] {
  const connected = connectedOf(sessions.filter(isOfProgram));
  const keys = new Set(connected.map(({ key }) => key));
  const others = rates.apps
    .filter((app) => !keys.has(app))
    .slice(0, MAX_OTHERS)
    .map((app) => ({
      key: app,
      clientId: app,
      name: names.of(app) ?? app,
      sessions: [],
      figures: rates.ofApp(app),
    }));
  return [...connected.map((app) => ({ ...app, figures: rates.ofApp(app.key) })), ...others];
}

function connectedOf(sessions: readonly SessionStatus[]): readonly ConnectedApp[] {
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
