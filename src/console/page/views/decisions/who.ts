/** Name of a program without the path of its executable: `node app.mjs` of `node app.mjs, /usr/bin/node`. */
export function programName(text: string): string {
  return text.split(', ', 1)[0] ?? '';
}

/** Whether a program is the command line or the console of the bridge. */
export function isOurs(program: string): boolean {
  return /(?:^|[ /])footbridge(?:\.js|\.exe)?$/.test(program);
}

/** What decided without a person. */
export function deciderName(kind: string): string {
  if (kind === 'secret') return 'a configured secret';
  return kind === 'publisher' ? 'its publisher' : `the ${kind}`;
}

/** Those of one application; of all without one. */
export function ofApp<T extends { readonly clientId: string }>(
  all: readonly T[],
  app: string | null,
): readonly T[] {
  return app === null ? all : all.filter(({ clientId }) => clientId === app);
}
