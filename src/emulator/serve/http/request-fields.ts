import { itemNodes, memberNodes, type SchemaNode, shapesOf } from '../../../base/schema-node.ts';
import { fieldWithin } from './field-within.ts';

/** Fields in embeds that the platform fills in: it has them, and ignores them in a request. */
const FILLED_IN = [
  /(?:^|\.)embeds\.\d+\.(?:type|provider|video|flags|content_scan_version)(?:\.|$)/,
  /(?:^|\.)embeds\.\d+\.(?:image|thumbnail)\.[a-z_]+$/,
  /(?:^|\.)embeds\.\d+\.(?:author|footer)\.proxy_icon_url$/,
];

/** Fields that libraries send with every request of an operation, though it does not have them. */
const OF_LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  // discord.js sends the type of a thread that begins at a message, which has only one.
  create_thread_from_message: ['type'],
};

/**
 * Paths of the fields of a value that its declaration does not have, such as `embeds.0.titel`; `notOffered` names fields
 * that are known but have no declaration, `id` is that of the operation.
 */
export function unknownFields(
  schema: SchemaNode,
  value: unknown,
  { id, notOffered }: { readonly id: string; readonly notOffered: readonly string[] },
): string[] {
  const found: string[] = [];
  const known = (path: string): boolean => {
    const plain = path.replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, '[]');
    return (
      notOffered.some((one) => one === plain || one.startsWith(`${plain}.`)) ||
      FILLED_IN.some((pattern) => pattern.test(path)) ||
      OF_LIBRARIES[id]?.includes(path) === true
    );
  };
  const walk = (nodes: readonly SchemaNode[], at: unknown, path: string): void => {
    if (typeof at !== 'object' || at === null) return;
    const all = nodes.flatMap((node) => shapesOf(node, schema));
    if (all.some(isOpaque)) return;
    if (Array.isArray(at)) {
      for (const [index, item] of at.entries()) walk(itemNodes(all), item, `${path}${index}.`);
      return;
    }
    const members = Object.entries(at);
    const shapes = all.filter((shape) => fits(shape, at));
    // A map has members of any name.
    if (shapes.some(({ additionalProperties: others }) => others === true || isEmpty(others))) return;
    for (const [name, member] of members) {
      const place = `${path}${shownName(name)}`;
      const inner = memberNodes(shapes, name);
      if (inner.length > 0) walk(inner, member, `${place}.`);
      // Libraries send the fields of other bodies with values that ask for nothing, such as `tts: false` in an edit.
      else if (!asksForNothing(member) && !known(place)) found.push(place);
    }
  };
  walk([schema], value, '');
  return found;
}

function asksForNothing(value: unknown): boolean {
  return fieldWithin(['value'], { value }) === undefined;
}

/** Whether a shape is that of an object with the given value of its distinguishing fields, such as `type`. */
function fits({ properties = {} }: SchemaNode, value: object): boolean {
  return Object.entries(properties).every(([name, { const: only }]) => {
    const sent: unknown = Reflect.get(value, name);
    return only === undefined || sent === undefined || sent === only;
  });
}

/** Whether a node declares nothing, so that any value is valid. */
function isOpaque(node: SchemaNode): boolean {
  return DECLARING.every((key) => node[key] === undefined);
}

const DECLARING = [
  '$ref',
  'type',
  'const',
  'enum',
  'anyOf',
  'oneOf',
  'allOf',
  'items',
  'properties',
] as const;

function isEmpty(node: SchemaNode | boolean | undefined): boolean {
  return typeof node === 'object' && isOpaque(node);
}

/** The name of a field; of a name that no program uses, which could be a secret, its length. */
function shownName(name: string): string {
  return /^[a-z][\w-]{0,63}$/i.test(name) ? name : `(name of ${name.length} characters)`;
}
