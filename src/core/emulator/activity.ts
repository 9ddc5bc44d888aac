import type { Activity as PlainActivity } from '../../emulator/activity/presences.ts';
import type { Clock } from '../../emulator/clock.ts';
import type { Emulator } from '../../emulator/emulator.ts';
import type { Application } from '../../emulator/fixture/fixture.ts';
import type { ArgsOf, ResultOf } from '../../protocol/registry.ts';
import type { CoreHandlers } from '../core.ts';
import type { AppSession } from './app-session.ts';

type Activity = NonNullable<ArgsOf<'SET_ACTIVITY'>['activity']>;
type ShownActivity = NonNullable<ResultOf<'SET_ACTIVITY'>>;

const FLAG_INSTANCE = 1 << 0;
const FLAG_JOIN = 1 << 1;
const FLAG_SPECTATE = 1 << 2;

/** SET_ACTIVITY: answered at once, however often; how much of it others see is the emulator's business. */
export function activityHandlers(emulator: Emulator, session: AppSession, clock: Clock): CoreHandlers {
  return {
    SET_ACTIVITY({ activity }) {
      const shown = activity ? showActivity(activity, session.application, clock.now()) : null;
      emulator.presences.set(session.id, shown as PlainActivity | null);
      return shown;
    },
  };
}

/** What a client makes of an activity before it shows it to anybody (protocol 7.4). Times become milliseconds. */
function showActivity(activity: Activity, application: Application, now: number): ShownActivity {
  const { buttons, instance, party, timestamps, ...rest } = activity;
  const flags =
    (instance ? FLAG_INSTANCE : 0) |
    (activity.secrets?.join ? FLAG_JOIN : 0) |
    (activity.secrets?.spectate ? FLAG_SPECTATE : 0);
  return {
    ...rest,
    application_id: application.id,
    name: activity.name ?? application.name,
    type: activity.type ?? 0,
    platform: 'desktop',
    metadata: buttons ? { button_urls: buttons.map((button) => button.url) } : {},
    ...(buttons ? { buttons: buttons.map((button) => button.label) } : {}),
    ...(timestamps ? { timestamps: inMilliseconds(timestamps, now) } : {}),
    ...(party ? { party: withoutPrivacy(party) } : {}),
    ...(flags > 0 ? { flags } : {}),
  };
}

/** An activity as anybody may see it: without the secrets that let people in. */
export function withoutSecrets<A extends object>(activity: A): Omit<A, 'secrets'> {
  const { secrets: _secrets, ...rest } = activity as A & { readonly secrets?: unknown };
  return rest;
}

/** Seconds are tolerated: a value with over two digits less than now's is taken for seconds. */
function inMilliseconds(timestamps: NonNullable<Activity['timestamps']>, now: number): object {
  const digits = (value: number): number => String(Math.floor(value)).length;
  const convert = (value: number): number =>
    Math.floor(digits(now) - digits(value) > 2 ? value * 1000 : value);
  return Object.fromEntries(
    Object.entries(timestamps).map(([key, value]) => [
      key,
      typeof value === 'number' ? convert(value) : value,
    ]),
  );
}

function withoutPrivacy(party: NonNullable<Activity['party']>): object {
  return Object.fromEntries(Object.entries(party).filter(([key]) => key !== 'privacy'));
}
