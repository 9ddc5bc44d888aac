/** Places where a person decides beside the control socket. */
export const PLACES = {
  console: 'in the console',
  terminal: "in the bridge's terminal",
  notification: 'in a notification',
} as const;

/** Policy or configuration that decided without a person. */
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
