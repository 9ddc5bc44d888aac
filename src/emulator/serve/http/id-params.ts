/** Whether a name in the braces of a path denotes a snowflake. */
export function isIdParam(name: string): boolean {
  // The id of a running activity is any text in the public document.
  return name.endsWith('_id') && name !== 'instance_id';
}
