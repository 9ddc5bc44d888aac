import type { World } from '../../api/world.ts';
import type { SessionPresence, ToldActivity } from './status-records.ts';

/** What a session shows from now on; of an activity the time is when the session first showed it. */
export function showSession(
  world: World,
  shown: Omit<SessionPresence, 'activities' | 'secret' | 'headless'> &
    Partial<Pick<SessionPresence, 'secret' | 'headless'>> & {
      readonly activities: readonly Readonly<Record<string, unknown>>[];
    },
  now: number,
): void {
  const before = world.tables.session_presences.get(shown.session)?.activities ?? [];
  const activities = shown.activities.map((one): ToldActivity => {
    const { name = '', type = 0 } = one as { readonly name?: string; readonly type?: number };
    const same = before.find((old) => old.name === name && old.type === type);
    return { ...one, name, type, created_at: same?.created_at ?? now };
  });
  world.transaction(({ session_presences }) =>
    session_presences.putLast({ secret: null, headless: null, ...shown, activities }),
  );
}

/** The session is over, and so is what it showed. */
export function hideSession(world: World, session: string): void {
  if (!world.tables.session_presences.has(session)) return;
  world.transaction(({ session_presences }) => session_presences.remove(session));
}
