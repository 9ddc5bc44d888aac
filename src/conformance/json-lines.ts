import { UsageError } from './failure.ts';

/** Parsed JSON document with the lines of its values. */
export interface LocatedJson {
  readonly value: unknown;
  /** Line (from 1) of the value at a JSON pointer, or of its nearest parent. */
  readonly lineOf: (pointer: string) => number;
}

const MAX_DEPTH = 64;

/** Parses JSON; throws {@link UsageError} with the file, the line and the problem. */
export function parseLocated(text: string, file: string): LocatedJson {
  const lines = new Map<string, number>();
  let at = 0;
  let counted = { at: 0, line: 1 };
  // Lines are counted onward from the last index: indexes mostly ascend, so each character is read once.
  const lineAt = (index: number): number => {
    let { at: from, line } = index >= counted.at ? counted : { at: 0, line: 1 };
    for (; from < index; from++) if (text[from] === '\n') line++;
    counted = { at: index, line };
    return line;
  };
  const fail = (reason: string): never => {
    throw new UsageError(`${file}:${lineAt(at)}: ${reason}`);
  };
  const skip = (): void => {
    while (/[\t\n\r ]/.test(text[at] ?? '')) at++;
  };
  const take = (character: string): boolean => {
    skip();
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  const scalar = (): unknown => {
    const match = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;
    match.lastIndex = at;
    const token = match.exec(text)?.[0];
    if (token === undefined) return fail(at >= text.length ? 'the document ends too early' : 'no JSON value');
    try {
      const value: unknown = JSON.parse(token);
      at += token.length;
      return value;
    } catch {
      return fail('no JSON value');
    }
  };
  const parse = (pointer: string, depth: number): unknown => {
    skip();
    lines.set(pointer, lineAt(at));
    if (depth > MAX_DEPTH) fail('nested too deeply');
    if (take('[')) {
      const items: unknown[] = [];
      if (take(']')) return items;
      do items.push(parse(`${pointer}/${items.length}`, depth + 1));
      while (take(','));
      if (!take(']')) fail('"," or "]" is missing');
      return items;
    }
    if (!take('{')) return scalar();
    const entries: [string, unknown][] = [];
    if (take('}')) return {};
    do {
      skip();
      const key = scalar();
      if (typeof key !== 'string') return fail('a key must be a string');
      if (!take(':')) fail('":" is missing');
      if (entries.some(([other]) => other === key)) fail(`the key "${key}" is duplicated`);
      entries.push([key, parse(`${pointer}/${key}`, depth + 1)]);
    } while (take(','));
    if (!take('}')) fail('"," or "}" is missing');
    return Object.fromEntries(entries);
  };
  const value = parse('', 0);
  skip();
  if (at < text.length) fail('something follows the document');
  const lineOf = (pointer: string): number => {
    for (let path = pointer; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
      const line = lines.get(path);
      if (line !== undefined) return line;
    }
    return lines.get('') ?? 1;
  };
  return { value, lineOf };
}
