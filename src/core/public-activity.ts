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
