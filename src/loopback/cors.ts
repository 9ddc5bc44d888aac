/**
 * CORS headers that let a page of this origin read an answer (Fetch standard, 3.2). They are never `*` and never allow
 * credentials, because no cookies are used.
 */
export function corsFor(origin: string): { [header: string]: string } {
  return { 'access-control-allow-origin': origin, vary: 'Origin' };
}
