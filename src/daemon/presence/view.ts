import type { PresenceEntry } from '../../presence/presences.ts';
import type { BridgePresence } from './bridge-presence.ts';
import { placesOf, reasonText } from './reason-text.ts';

/** Presence of one application, as commands and the console show it. Times are ms since the Unix epoch. */
export interface PresenceView {
  readonly clientId: string;
  readonly application: string | null;
  /** Program of the app that comes first, and its process. */
  readonly program: string | null;
  readonly pid: number | null;
  readonly session: string;
  /** Number of connected apps of the application that set an activity. */
  readonly connections: number;
  readonly state: 'shown' | 'hidden' | 'waiting';
  /** Reason in one line, and the rules behind it. */
  readonly why: string;
  readonly rules: readonly string[];
  /** What others see; null where they see nothing. */
  readonly shown: Readonly<Record<string, unknown>> | null;
  /** What the app has set. */
  readonly activity: Readonly<Record<string, unknown>>;
  readonly since: number;
  readonly changedAt: number;
  /** Chat clients that show it. */
  readonly clients: readonly string[];
}

/** One view for each application: several apps of one application are one entry, of which the first one decides. */
export function presenceViews(presence: BridgePresence): readonly PresenceView[] {
  const entries = presence.presences.list();
  const bySession = new Map(entries.map((entry) => [entry.app.session, entry]));
  const label = ({ app }: PresenceEntry): string =>
    presence.applicationName(app.clientId) ?? app.programs()[0] ?? app.clientId;
  const nameOf = (session: string): string => {
    const entry = bySession.get(session);
    return entry === undefined ? 'another app' : label(entry);
  };
  const views = new Map<string, PresenceView>();
  for (const { app, standing, activity, since, changedAt } of entries) {
    const first = views.get(app.clientId);
    if (first !== undefined) {
      const clients = [...new Set([...first.clients, ...app.shownAt()])];
      views.set(app.clientId, { ...first, clients, connections: first.connections + 1 });
      continue;
    }
    views.set(app.clientId, {
      clientId: app.clientId,
      application: presence.applicationName(app.clientId) ?? null,
      program: app.programs()[0] ?? null,
      pid: app.pid ?? null,
      session: app.session,
      connections: 1,
      state: standing.kind === 'none' ? 'hidden' : standing.kind,
      why: reasonText(standing, nameOf),
      rules: standing.kind === 'none' ? [] : placesOf(standing.reason),
      shown: standing.kind === 'shown' ? standing.activity : null,
      activity,
      since,
      changedAt,
      clients: app.shownAt(),
    });
  }
  return [...views.values()];
}
