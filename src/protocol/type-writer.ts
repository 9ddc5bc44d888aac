import * as z from 'zod';

/** The parts of JSON Schema that the declarations use. */
interface SchemaNode {
  /** The name of a type that is declared separately. */
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode | false;
  readonly prefixItems?: readonly SchemaNode[];
  readonly properties?: { readonly [name: string]: SchemaNode };
  readonly additionalProperties?: SchemaNode | false;
  readonly required?: readonly string[];
}

/** Direction of a value. In the input of a program, lists and members may be read-only. */
type Direction = 'input' | 'output';

/** Shapes that get their own type name, with their direction; all other shapes are written where they occur. */
export interface NamedShapes {
  readonly [name: string]: readonly [shape: () => z.ZodType, direction: Direction, text: string];
}

/** Writes schemas as plain TypeScript types, without zod. */
export class TypeWriter {
  readonly #shapes: NamedShapes;
  /** Names of the named shapes, by the canonical JSON of their schemas. */
  readonly #names = new Map<string, string>();

  readonly #keysBesides: boolean;

  /** With `keysBesides`, a written type states that an object may have undeclared keys, if its schema allows them. */
  constructor(shapes: NamedShapes, { keysBesides }: { readonly keysBesides: boolean }) {
    this.#shapes = shapes;
    this.#keysBesides = keysBesides;
  }

  /**
   * Yields the declarations of the named shapes. After the first declaration, `write` uses these names in place of the
   * shapes.
   */
  *named(): Generator<string> {
    for (const [name, [shape, direction]] of Object.entries(this.#shapes)) {
      this.#names.set(key(schemaOf(shape(), direction), direction), name);
    }
    for (const [name, [shape, direction, text]] of Object.entries(this.#shapes)) {
      const { properties = {}, required = [], additionalProperties } = schemaOf(shape(), direction);
      const members = Object.entries(properties).map(
        ([member, node]) => `  ${this.#member(member, node, required, direction)};`,
      );
      if (this.#keysBesides && isSchema(additionalProperties)) members.push('  [key: string]: unknown;');
      yield [`/** ${text} */`, `export interface ${name} {`, ...members, '}', ''].join('\n');
    }
  }

  write(schema: object, direction: Direction): string {
    const node = schema as SchemaNode;
    // A schema with a title is declared elsewhere under that title.
    if (node.title !== undefined) return node.title;
    const name = this.#names.get(key(node, direction));
    if (name !== undefined) return name;
    if (node.anyOf) return union(node.anyOf.map((choice) => this.write(choice, direction)));
    if (node.const !== undefined) return literal(node.const);
    if (node.enum) return union(node.enum.map(literal));
    if (Array.isArray(node.type)) return union(node.type.map((type) => this.write({ type }, direction)));
    switch (node.type) {
      case 'integer':
        return 'number';
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return node.type;
      case 'array':
        return this.#array(node, direction);
      case 'object':
        return this.#object(node, direction);
      case undefined:
        return 'unknown';
      default:
        throw new Error(`No TypeScript is known for the schema type ${String(node.type)}`);
    }
  }

  #array({ items, prefixItems }: SchemaNode, direction: Direction): string {
    const readonly = direction === 'input' ? 'readonly ' : '';
    if (prefixItems)
      return `${readonly}[${prefixItems.map((item) => this.write(item, direction)).join(', ')}]`;
    const item = items ? this.write(items, direction) : 'unknown';
    const isJoined = /^[^{]*[|&]/.test(item) || (items !== false && items?.anyOf !== undefined);
    return `${readonly}${isJoined ? `(${item})` : item}[]`;
  }

  #object(
    { properties = {}, required = [], additionalProperties }: SchemaNode,
    direction: Direction,
  ): string {
    const members = Object.entries(properties);
    const derived = this.#derived({ properties, required }, direction);
    if (derived !== undefined) return derived;
    if (members.length > 0) {
      const known = members.map(([name, node]) => this.#member(name, node, required, direction));
      if (this.#keysBesides && isSchema(additionalProperties))
        known.push(`[key: string]: ${this.write(additionalProperties, direction)}`);
      return `{ ${known.join('; ')} }`;
    }
    if (!isSchema(additionalProperties)) return 'NoArgs';
    return `Record<string, ${this.write(additionalProperties, direction)}>`;
  }

  #member(name: string, node: SchemaNode, required: readonly string[], direction: Direction): string {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : literal(name);
    return `${key}${required.includes(name) ? '' : '?'}: ${this.write(node, direction)}`;
  }

  /**
   * Writes a shape as derived from a named one (all members optional, or additional members), because the name is
   * shorter than the members.
   */
  #derived(node: SchemaNode, direction: Direction): string | undefined {
    const { properties = {}, required = [] } = node;
    for (const [json, name] of this.#names) {
      if (!json.startsWith(direction)) continue;
      const shape = JSON.parse(json.slice(direction.length)) as SchemaNode;
      const members = Object.entries(shape.properties ?? {});
      const held = members.every(([member, type]) => same(properties[member], type));
      if (!held || members.length < 4) continue;
      const rest = Object.entries(properties).filter(
        ([member]) => !Object.hasOwn(shape.properties ?? {}, member),
      );
      if (rest.length === 0 && required.length === 0) return `Partial<${name}>`;
      if (shape.required?.every((member) => required.includes(member)) && rest.length > 0) {
        return `${name} & { ${rest.map(([member, type]) => this.#member(member, type, required, direction)).join('; ')} }`;
      }
    }
    return undefined;
  }
}

function isSchema(node: SchemaNode | false | undefined): node is SchemaNode {
  return node !== undefined && node !== false;
}

function key(node: SchemaNode, direction: Direction): string {
  return `${direction} ${JSON.stringify(node)}`;
}

/** Returns the JSON Schema of a shape for one direction. */
export function schemaOf(shape: z.ZodType, io: Direction): SchemaNode {
  const { $schema: _draft, ...schema } = z.toJSONSchema(shape, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  });
  return schema as SchemaNode;
}

function union(choices: readonly string[]): string {
  return choices.includes('unknown') ? 'unknown' : [...new Set(choices)].join(' | ');
}

function same(a: SchemaNode | undefined, b: SchemaNode): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Writes a value as a TypeScript literal. */
function literal(value: unknown): string {
  const json = JSON.stringify(value);
  return typeof value === 'string' ? `'${json.slice(1, -1).replaceAll("'", "\\'")}'` : json;
}
