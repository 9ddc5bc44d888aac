/** One module that a source file names. */
export interface ImportedModule {
  readonly specifier: string;
  /** `type` is gone at run time; `dynamic` is `import()`; `opaque` names no module that can be read here. */
  readonly kind: 'static' | 'type' | 'dynamic' | 'opaque';
  readonly line: number;
}

/** A source without comments, and the same with the insides of strings and patterns blanked; offsets agree. */
interface BareText {
  readonly code: string;
  readonly bare: string;
}

const STATIC = /(?<![.\w$])(?:import|export)\s+(type\s+(?!from\b))?[\w$\s,{}*]*?\bfrom\s*(['"])/g;
const SIDE_EFFECT = /(?<![.\w$])import\s*(['"])/g;
const DYNAMIC = /(?<![.\w$])(typeof\s+)?(?:import|require)\s*\(\s*/g;

/** Every module that TypeScript text names, in whatever form. */
export function importsOf(text: string): ImportedModule[] {
  const { code, bare } = bareText(text);
  const found: ImportedModule[] = [];
  const add = (kind: ImportedModule['kind'], start: number, quote: number): void => {
    const end = bare.indexOf(bare[quote] ?? '', quote + 1);
    found.push({ kind, specifier: code.slice(quote + 1, end), line: lineAt(bare, start) });
  };
  for (const match of bare.matchAll(STATIC)) {
    add(match[1] === undefined ? 'static' : 'type', match.index, match.index + match[0].length - 1);
  }
  for (const match of bare.matchAll(SIDE_EFFECT)) {
    add('static', match.index, match.index + match[0].length - 1);
  }
  for (const match of bare.matchAll(DYNAMIC)) {
    const at = match.index + match[0].length;
    const isLiteral = /^(?:'[^']*'|"[^"]*")\s*,?\s*\)/.test(bare.slice(at));
    if (isLiteral) add(match[1] === undefined ? 'dynamic' : 'type', match.index, at);
    else found.push({ kind: 'opaque', specifier: '', line: lineAt(bare, match.index) });
  }
  return found;
}

/** The line of each place where the code, not its strings or comments, matches. */
export function linesMatching(text: string, pattern: RegExp): number[] {
  const { bare } = bareText(text);
  return [...bare.matchAll(new RegExp(pattern, 'g'))].map((match) => lineAt(bare, match.index));
}

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** What was made of each text: the rules ask for the same files one after the other. */
const made = new Map<string, BareText>();

/** Blanks comments, and for `bare` what strings, templates and patterns hold; `${…}` in a template is code. */
export function bareText(text: string): BareText {
  const known = made.get(text) ?? blanked(text);
  made.set(text, known);
  return known;
}

function blanked(text: string): BareText {
  // UTF-16 units, so that offsets are those of the text.
  const code = text.split('');
  const bare = [...code];
  const blank = (out: string[], from: number, to: number): void => {
    for (let i = from; i < to && i < out.length; i++) if (out[i] !== '\n') out[i] = ' ';
  };
  /** Braces open in the code of each template that is being read. */
  const templates: number[] = [];
  let i = 0;
  let last = '';
  const skipTemplate = (): void => {
    const start = i;
    while (i < code.length && code[i] !== '`' && !(code[i] === '$' && code[i + 1] === '{'))
      i += code[i] === '\\' ? 2 : 1;
    blank(bare, start, i);
    if (code[i] === '`') i += 1;
    else {
      templates.push(0);
      i += 2;
    }
    last = code[i - 1] ?? '';
  };
  while (i < code.length) {
    const here = code[i] ?? '';
    const two = here + (code[i + 1] ?? '');
    if (two === '//' || two === '/*') {
      const end = two === '//' ? text.indexOf('\n', i) : text.indexOf('*/', i + 2) + 2;
      const stop = end < i + 2 ? code.length : end;
      blank(code, i, stop);
      blank(bare, i, stop);
      i = stop;
    } else if (here === "'" || here === '"') {
      const start = ++i;
      while (i < code.length && code[i] !== here && code[i] !== '\n') i += code[i] === '\\' ? 2 : 1;
      blank(bare, start, i);
      i += 1;
      last = here;
    } else if (here === '`') {
      i += 1;
      skipTemplate();
    } else if (here === '}' && templates.at(-1) === 0) {
      templates.pop();
      i += 1;
      skipTemplate();
    } else if (here === '/' && startsPattern(bare.slice(Math.max(0, i - 12), i).join(''), last)) {
      const start = ++i;
      let inClass = false;
      while (i < code.length && code[i] !== '\n' && (inClass || code[i] !== '/')) {
        if (code[i] === '[') inClass = true;
        else if (code[i] === ']') inClass = false;
        i += code[i] === '\\' ? 2 : 1;
      }
      blank(bare, start, i);
      i += 1;
      last = '/';
    } else {
      const open = templates.length - 1;
      if (here === '{' && open >= 0) templates[open] = (templates[open] ?? 0) + 1;
      if (here === '}' && open >= 0) templates[open] = (templates[open] ?? 0) - 1;
      if (here.trim() !== '') last = here;
      i += 1;
    }
  }
  return { code: code.join(''), bare: bare.join('') };
}

/** Whether a slash begins a pattern: after an operator, an opening bracket or a keyword it cannot divide. */
function startsPattern(before: string, last: string): boolean {
  if (last === '' || '(,=:[!&|?{};+-*%<>~^'.includes(last)) return true;
  return /\b(?:return|typeof|case|in|of|await|yield|void)\s*$/.test(before);
}
