/** Whether a name in the braces of a path denotes a snowflake. */
export function isIdParam(name: string): boolean {
  // Id of a running activity: any text in the public document.
  return name.endsWith('_id') && name !== 'instance_id';
}
