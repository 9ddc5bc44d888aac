import { bareText, lineAt } from './source-text.ts';

/** What begins something that goes on: it follows changes, or waits for a time. */
const BEGINS = /\bsubscribe\w*\s*\(|\bclock\s*\.\s*at\s*\(|\bset(?:Timeout|Interval)\s*\(/g;
const CONSTRUCTOR = /(?<![.\w$])constructor\s*\(/g;

/** The lines of a source on which a constructor begins something that goes on. */
export function constructorEffects(text: string): number[] {
  const { bare } = bareText(text);
  return [...bare.matchAll(CONSTRUCTOR)].flatMap(({ index }) => {
    const parameters = closing(bare, bare.indexOf('(', index));
    const from = bare.indexOf('{', parameters);
    const body = bare.slice(from, closing(bare, from));
    return [...body.matchAll(BEGINS)].map((match) => lineAt(bare, from + match.index));
  });
}

/** Where the bracket is closed that is opened at an offset. */
function closing(bare: string, from: number): number {
  let open = 0;
  for (let at = from; at < bare.length; at += 1) {
    if ('({['.includes(bare[at] ?? '')) open += 1;
    else if (')}]'.includes(bare[at] ?? '')) open -= 1;
    if (open === 0) return at;
  }
  return bare.length;
}
