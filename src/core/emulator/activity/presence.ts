import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { Activity as PlainActivity } from '../../../emulator/users/presence/records.ts';
import type { CoreHandlers } from '../../core.ts';
import { publishedActivity } from '../../public-activity.ts';
import type { AppSession } from '../app-session.ts';
import type { ActivityLinter } from './linter.ts';

/** Handlers of SET_ACTIVITY, which answer every call at once; the emulator limits how often others see a change. */
export function activityHandlers(
  emulator: Emulator,
  session: AppSession,
  linter: ActivityLinter,
): CoreHandlers {
  return {
    SET_ACTIVITY({ activity }, call) {
      linter.check(session, call);
      const published = activity
        ? publishedActivity(activity, session.application, emulator.clock.now())
        : null;
      emulator.presences.set(session.id, published as PlainActivity | null);
      return published;
    },
  };
}
