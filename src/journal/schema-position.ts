import { once } from '../base/once.ts';
import { itemNodes, memberNodes, type SchemaNode, shapesOf } from '../base/schema-node.ts';
import { isSecretName } from './secret-names.ts';

/** Form of a key in a map: a name that programs use, an id, or a language. */
const MAP_KEY = /^(?:[a-z][a-z_-]{0,31}|\d{1,20}|es-419)$/i;

/** A member of a declared value. */
export interface Member {
  /** Whether a schema declares its name. */
  readonly isKnown: boolean;
  readonly position: SchemaPosition;
}

/** Declared shapes of a value, with those of its parts; an undeclared value has no shapes. */
export class SchemaPosition {
  readonly shapes: readonly SchemaNode[];
  /** Whether the value is in a field with the name of a secret. */
  readonly isSecret: boolean;
  readonly isId: boolean;
  readonly isSentence: boolean;
  readonly #all: Positions;
  /** Members that a schema names. Members of maps are not remembered, because a program chooses their names. */
  readonly #named = new Map<string, Member>();
  readonly #items = once(() => this.#all.of(itemNodes(this.shapes), this.isSecret));

  constructor(shapes: readonly SchemaNode[], isSecret: boolean, all: Positions) {
    this.shapes = shapes;
    this.isSecret = isSecret;
    this.isId = shapes.some(({ format }) => format === 'snowflake');
    this.isSentence = shapes.some(({ format }) => format === 'sentence');
    this.#all = all;
  }

  /** An item of the list, at any index. */
  get items(): SchemaPosition {
    return this.#items();
  }

  member(key: string): Member {
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    const position = this.#all.of(memberNodes(this.shapes, key), this.isSecret || isSecretName(key));
    const isNamed = this.shapes.some(({ properties = {} }) => Object.hasOwn(properties, key));
    const member = { isKnown: isNamed || (position.shapes.length > 0 && MAP_KEY.test(key)), position };
    if (isNamed) this.#named.set(key, member);
    return member;
  }
}

/**
 * Positions of one schema, created when a value first has them. The same shapes have the same position, so that a schema
 * that refers to itself has few, however deep the values are.
 */
class Positions {
  readonly #root: SchemaNode;
  readonly #numbers = new Map<SchemaNode, number>();
  readonly #known = new Map<string, SchemaPosition>();

  constructor(root: SchemaNode) {
    this.#root = root;
  }

  of(nodes: readonly SchemaNode[], isSecret: boolean): SchemaPosition {
    // An empty schema accepts any value, so it does not count as a declaration.
    const constraining = nodes.filter((node) => Object.keys(node).length > 0);
    const key = `${isSecret} ${constraining.map((node) => this.#numberOf(node)).join(' ')}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const shapes = constraining.flatMap((node) => shapesOf(node, this.#root));
    const position = new SchemaPosition(shapes, isSecret, this);
    this.#known.set(key, position);
    return position;
  }

  #numberOf(node: SchemaNode): number {
    const known = this.#numbers.get(node);
    if (known !== undefined) return known;
    this.#numbers.set(node, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

/** Position of a value that no schema declares. */
export const NOTHING = new Positions({}).of([], false);

const positions = new WeakMap<SchemaNode, SchemaPosition>();

/** Position of a whole value, whose schema has the definitions. */
export function positionOf(schema: SchemaNode): SchemaPosition {
  const known = positions.get(schema);
  if (known !== undefined) return known;
  const position = new SchemaPosition(shapesOf(schema, schema), false, new Positions(schema));
  positions.set(schema, position);
  return position;
}
