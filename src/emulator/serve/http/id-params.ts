/** Whether a name in the braces of a path stands for a snowflake. */
export function isIdParam(name: string): boolean {
  // Of an activity that runs: the public document lets it be any text.
  return name.endsWith('_id') && name !== 'instance_id';
}
