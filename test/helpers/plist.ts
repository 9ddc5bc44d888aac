import { parseXml, type XmlElement } from './xml.ts';

/** A value of a property list, as far as a LaunchAgent needs them. */
export type PlistValue =
  | string
  | number
  | boolean
  | readonly PlistValue[]
  | { readonly [key: string]: PlistValue };

/** Reads an XML property list and throws at whatever launchd would not take, or take for something else. */
export function parsePlist(source: string): PlistValue {
  const { doctype, root } = parseXml(source);
  if (doctype?.includes('"-//Apple//DTD PLIST 1.0//EN"') !== true)
    throw new Error('the document type is missing');
  if (root.name !== 'plist' || root.attributes['version'] !== '1.0')
    throw new Error('the root is no plist 1.0');
  const [value, ...more] = root.children;
  if (value === undefined || more.length > 0) throw new Error('a plist holds one value');
  return plainValue(value);
}

function plainValue(element: XmlElement): PlistValue {
  const { name, attributes, children, text } = element;
  if (Object.keys(attributes).length > 0) throw new Error(`${name} has attributes`);
  switch (name) {
    case 'string':
      return leaf(element);
    case 'integer':
      if (!/^-?(?:0|[1-9]\d*)$/.test(leaf(element))) throw new Error(`${text} is no integer`);
      return Number(text);
    case 'true':
    case 'false':
      if (leaf(element) !== '') throw new Error(`${name} is not empty`);
      return name === 'true';
    case 'array':
      if (text.trim() !== '') throw new Error('text in an array');
      return children.map(plainValue);
    case 'dict':
      return dictionary(element);
    default:
      throw new Error(`there is no plist element ${name}`);
  }
}

function leaf({ name, children, text }: XmlElement): string {
  if (children.length > 0) throw new Error(`${name} holds elements`);
  return text;
}

function dictionary({ children, text }: XmlElement): { readonly [key: string]: PlistValue } {
  if (text.trim() !== '' || children.length % 2 !== 0) throw new Error('a dict is pairs of key and value');
  const entries = new Map<string, PlistValue>();
  for (let index = 0; index < children.length; index += 2) {
    const [key, value] = [children[index], children[index + 1]];
    if (key?.name !== 'key' || value === undefined) throw new Error('a dict is pairs of key and value');
    if (entries.has(leaf(key))) throw new Error(`the key ${key.text} stands twice`);
    entries.set(key.text, plainValue(value));
  }
  return Object.fromEntries(entries);
}
