import type { Application } from '../../../emulator/applications/records.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { Activity as PlainActivity } from '../../../emulator/users/presence/records.ts';
import type { ArgsOf, ResultOf } from '../../../protocol/registry.ts';
import type { CoreHandlers } from '../../core.ts';
import { inMilliseconds } from '../../public-activity.ts';
import type { AppSession } from '../app-session.ts';
import type { ActivityLinter } from './linter.ts';

type Activity = NonNullable<ArgsOf<'SET_ACTIVITY'>['activity']>;
type PublishedActivity = NonNullable<ResultOf<'SET_ACTIVITY'>>;

const FLAG_INSTANCE = 1 << 0;
const FLAG_JOIN = 1 << 1;
const FLAG_SPECTATE = 1 << 2;

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

/**
 * Converts an activity to the form in which a client publishes it (protocol 7.4). Times become milliseconds. Every key
 * is present, so that all activities have one object shape; keys without a value are not sent.
 */
function publishedActivity(activity: Activity, application: Application, now: number): PublishedActivity {
  const { assets, buttons, details, details_url, party, secrets, state, state_url, timestamps } = activity;
  const { status_display_type, supported_platforms } = activity;
  const flags =
    (activity.instance ? FLAG_INSTANCE : 0) |
    (secrets?.join ? FLAG_JOIN : 0) |
    (secrets?.spectate ? FLAG_SPECTATE : 0);
  return {
    state,
    state_url,
    details,
    details_url,
    assets,
    secrets,
    supported_platforms,
    status_display_type,
    application_id: application.id,
    name: activity.name ?? application.name,
    type: activity.type ?? 0,
    platform: 'desktop',
    metadata: buttons ? { button_urls: buttons.map((button) => button.url) } : {},
    buttons: buttons?.map((button) => button.label),
    timestamps: timestamps && {
      start: timestamps.start && inMilliseconds(timestamps.start, now),
      end: timestamps.end && inMilliseconds(timestamps.end, now),
    },
    party: party && { id: party.id, size: party.size },
    flags: flags > 0 ? flags : undefined,
  };
}
