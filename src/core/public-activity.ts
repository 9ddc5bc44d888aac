/**
 * Returns the public form of an activity, without its secrets: with a secret anyone could join and take the user's
 * slot.
 */
export function withoutSecrets<Activity extends object>(activity: Activity): Omit<Activity, 'secrets'> {
  const { secrets: _, ...rest } = activity as Activity & { readonly secrets?: unknown };
  return rest;
}
