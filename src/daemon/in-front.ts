/**
 * Remedy when another program serves `path`, an index below ours: apps usually stop at the first index that answers.
 * `core` is the name of the bridge's core.
 */
export function inFrontRemedy(path: string, core: string): string {
  if (core !== 'upstream')
    return `most apps look only at ${path}: end what is there, then start the bridge, then that program again`;
  return (
    'either run the bridge as a service, so that it starts before the chat client, or end the chat client, ' +
    'start the bridge again, and then the chat client'
  );
}
