/** Lets a page of this origin read an answer (Fetch standard, 3.2). Never `*`, and never with credentials: there are no cookies here. */
export function corsFor(origin: string): { [header: string]: string } {
  return { 'access-control-allow-origin': origin, vary: 'Origin' };
}
