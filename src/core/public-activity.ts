import type { ArgsOf, ResultOf } from '../protocol/registry.ts';

type Activity = NonNullable<ArgsOf<'SET_ACTIVITY'>['activity']>;
type PublishedActivity = NonNullable<ResultOf<'SET_ACTIVITY'>>;

const FLAG_INSTANCE = 1 << 0;
const FLAG_JOIN = 1 << 1;
const FLAG_SPECTATE = 1 << 2;

/**
 * Returns the public form of an activity, without its secrets: with a secret anyone could join and take the user's
 * slot.
 */
export function withoutSecrets<Activity extends object>(activity: Activity): Omit<Activity, 'secrets'> {
  const { secrets: _, ...rest } = activity as Activity & { readonly secrets?: unknown };
  return rest;
}

/**
 * Converts a time of an activity to milliseconds, as clients do (protocol 7.4): the client compares the lengths of the
 * numbers as text, so it multiplies whole seconds, and publishes seconds with a fraction as the app sent them.
 */
export function inMilliseconds(time: number, now: number): number {
  return String(now).length - String(time).length > 2 ? time * 1000 : time;
}

/**
 * Converts an activity to the form in which a client publishes it (protocol 7.4). Times become milliseconds. Every key
 * is present, so that all activities have one object shape; keys without a value are not sent.
 */
export function publishedActivity(
  activity: Activity,
  application: { readonly id: string; readonly name: string },
  now: number,
): PublishedActivity {
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
