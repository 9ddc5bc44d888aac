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

/**
 * Remedy for a machine, container or runtime folder in which no bridge runs while a program serves `path`. One that
 * answers as a bridge does may be the user's own bridge outside, which has no other sign here.
 */
export function strangerRemedy(path: string, answersAsBridge: boolean, core = 'emulator'): string {
  const remedy = inFrontRemedy(path, core);
  return answersAsBridge
    ? `nothing if apps reach a bridge of yours there, as in a container or through a forward; otherwise ${remedy}`
    : remedy;
}
