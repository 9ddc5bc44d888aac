/** An element: its name, its attributes, and either elements or text inside. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Reads what our service files use of XML 1.0, and throws at anything else: a declaration, at most one document type, one
 * root, no comments, no CDATA, no text beside elements, only the five named entities.
 */
export function parseXml(source: string): {
  readonly doctype: string | undefined;
  readonly root: XmlElement;
} {
  let rest = source;
  const take = (pattern: RegExp, what: string): RegExpExecArray => {
    const match = pattern.exec(rest);
    if (match === null || match.index !== 0)
      throw new Error(`${what} expected at ${JSON.stringify(rest.slice(0, 60))}`);
    rest = rest.slice(match[0].length);
    return match;
  };
  const blanks = (): void => void take(/^\s*/, 'blanks');

  const element = (): XmlElement => {
    const [, name = '', attributeText = '', empty] = take(
      /^<([A-Za-z][\w.-]*)((?:\s+[A-Za-z][\w:.-]*="[^"<]*")*)\s*(\/?)>/,
      'an element',
    );
    const attributes: Record<string, string> = {};
    for (const [, key = '', value = ''] of attributeText.matchAll(/\s+([\w:.-]+)="([^"]*)"/g)) {
      if (Object.hasOwn(attributes, key)) throw new Error(`${name} has two attributes ${key}`);
      attributes[key] = unescaped(value);
    }
    if (empty === '/') return { name, attributes, children: [], text: '' };
    const children: XmlElement[] = [];
    let text = '';
    for (;;) {
      text += unescaped(take(/^[^<]*/, 'text')[0]);
      if (rest.startsWith('</')) break;
      children.push(element());
    }
    take(new RegExp(`^</${name.replaceAll('.', '\\.')}>`), `the end of ${name}`);
    if (children.length > 0 && text.trim() !== '') throw new Error(`${name} has text beside elements`);
    return { name, attributes, children, text: children.length > 0 ? '' : text };
  };

  take(/^<\?xml version="1\.0" encoding="UTF-(?:8|16)"\?>/, 'the declaration');
  blanks();
  const doctype = rest.startsWith('<!') ? take(/^<!DOCTYPE [^[>]*>/, 'a document type')[0] : undefined;
  blanks();
  const root = element();
  blanks();
  if (rest !== '') throw new Error(`something stands behind the root: ${rest.slice(0, 60)}`);
  return { doctype, root };
}

function unescaped(text: string): string {
  const isForbidden = (sign: string): boolean => sign === '>' || (sign < ' ' && !'\t\r\n'.includes(sign));
  if (Array.from(text).some(isForbidden)) throw new Error('a sign that must be escaped');
  return text.replace(/&([^;]*);?/g, (_, name: string) => {
    const sign = ENTITIES[name];
    if (sign === undefined) throw new Error(`there is no entity ${name}`);
    return sign;
  });
}
