/** An activity as anybody may see it: without the secrets that let others join, and take the user's place. */
export function withoutSecrets<Activity extends object>(activity: Activity): Omit<Activity, 'secrets'> {
  const { secrets: _, ...rest } = activity as Activity & { readonly secrets?: unknown };
  return rest;
}
