import type { World } from '../../api/world.ts';
import type { PublicActivity, SessionPresence } from './status-records.ts';

/** Sets the presence of a session. An activity that the session already had retains its time of creation. */
export function setSessionPresence(
  world: World,
  sessionPresence: Omit<SessionPresence, 'activities' | 'secret' | 'headless'> &
    Partial<Pick<SessionPresence, 'secret' | 'headless'>> & {
      readonly activities: readonly Readonly<Record<string, unknown>>[];
    },
  now: number,
): void {
  const before = world.tables.session_presences.get(sessionPresence.session)?.activities ?? [];
  const activities = sessionPresence.activities.map((one): PublicActivity => {
    const { name = '', type = 0 } = one as { readonly name?: string; readonly type?: number };
    const same = before.find((old) => old.name === name && old.type === type);
    return { ...one, name, type, created_at: same?.created_at ?? now };
  });
  world.transaction(({ session_presences }) =>
    session_presences.putLast({ secret: null, headless: null, ...sessionPresence, activities }),
  );
}

/** Removes the presence of a closed session. */
export function hideSession(world: World, session: string): void {
  if (!world.tables.session_presences.has(session)) return;
  world.transaction(({ session_presences }) => session_presences.remove(session));
}
