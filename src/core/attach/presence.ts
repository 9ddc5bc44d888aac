import { isObject, type JsonObject } from '../../protocol/json.ts';
import { inMilliseconds } from '../public-activity.ts';

/** Current presence of one app. */
export interface Presence {
  /** Our session's id. */
  readonly session: string;
  readonly clientId: string;
  readonly pid: number | null;
  /**
   * The activity in the form in which chat clients publish it; null once it was cleared or the app has disconnected.
   */
  readonly activity: JsonObject | null;
}

/** An app's activity in the form that clients publish (protocol 7.4): labels and links separate, times in ms. */
export function toClientActivity(activity: JsonObject, clientId: string, now: number): JsonObject {
  const { buttons, timestamps, instance } = activity;
  const list = Array.isArray(buttons) ? (buttons as JsonObject[]) : [];
  return {
    ...activity,
    application_id: clientId,
    type: typeof activity.type === 'number' ? activity.type : 0,
    flags: instance === true ? 1 : 0,
    metadata: list.length === 0 ? {} : { button_urls: list.map(({ url }) => url) },
    ...(list.length === 0 ? {} : { buttons: list.map(({ label }) => label) }),
    ...(isObject(timestamps) ? { timestamps: publishedTimes(timestamps, now) } : {}),
  };
}

function publishedTimes(timestamps: JsonObject, now: number): JsonObject {
  const entries = Object.entries(timestamps).map(([name, time]) => {
    return [name, typeof time === 'number' ? inMilliseconds(time, now) : time];
  });
  return Object.fromEntries(entries) as JsonObject;
}
