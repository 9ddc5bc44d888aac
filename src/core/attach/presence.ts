import { isObject, type JsonObject } from '../../protocol/json.ts';

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

/** Smallest time that counts as milliseconds: a time below it is in seconds. */
const FIRST_MS = 100_000_000_000;

/** An app's activity in the form that clients publish (protocol 7.4): labels and links separate, times in ms. */
export function toClientActivity(activity: JsonObject, clientId: string): JsonObject {
  const { buttons, timestamps, instance } = activity;
  const list = Array.isArray(buttons) ? (buttons as JsonObject[]) : [];
  return {
    ...activity,
    application_id: clientId,
    type: typeof activity.type === 'number' ? activity.type : 0,
    flags: instance === true ? 1 : 0,
    metadata: list.length === 0 ? {} : { button_urls: list.map(({ url }) => url) },
    ...(list.length === 0 ? {} : { buttons: list.map(({ label }) => label) }),
    ...(isObject(timestamps) ? { timestamps: inMilliseconds(timestamps) } : {}),
  };
}

function inMilliseconds(timestamps: JsonObject): JsonObject {
  const entries = Object.entries(timestamps).map(([name, time]) => {
    return [name, typeof time === 'number' && time < FIRST_MS ? Math.floor(time * 1000) : time];
  });
  return Object.fromEntries(entries) as JsonObject;
}
