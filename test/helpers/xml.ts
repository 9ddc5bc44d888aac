import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element: its name, its attributes, and either elements or text inside. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** An element, a text or the attributes of one, as the parser keeps them in order. */
type Node = { readonly [name: string]: readonly Node[] | Readonly<Record<string, string>> | string };

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
});

/** The one root of a document, read by somebody else's parser; throws at what is not well-formed. */
export function parseXml(source: string): { readonly root: XmlElement } {
  const valid = XMLValidator.validate(source);
  if (valid !== true) throw new Error(`${valid.err.msg} (line ${valid.err.line})`);
  const roots = elementsOf(parser.parse(source) as readonly Node[]);
  const [root] = roots;
  if (root === undefined || roots.length > 1) throw new Error('there is no one root');
  return { root };
}

function elementsOf(nodes: readonly Node[]): XmlElement[] {
  return nodes.flatMap((node) => {
    const [name = ''] = Object.keys(node).filter((key) => key !== ':@');
    if (name === '#text' || name.startsWith('?') || name.startsWith('!')) return [];
    const inside = node[name] as readonly Node[];
    const children = elementsOf(inside);
    const text = inside.map((one) => (typeof one['#text'] === 'string' ? one['#text'] : '')).join('');
    const attributes = (node[':@'] ?? {}) as Readonly<Record<string, string>>;
    return [{ name, attributes, children, text: children.length > 0 ? '' : text }];
  });
}
