/** One argument of an operation, as a form asks for it. */
export interface Field {
  readonly name: string;
  /** `list` is written with commas; `json` is everything that is neither a text, a number nor a list of texts. */
  readonly kind: 'text' | 'number' | 'list' | 'json';
  readonly isRequired: boolean;
  /** The only values it takes. */
  readonly choices: readonly string[] | undefined;
}

interface Node {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
}

/** The field for all arguments at once, where a schema describes no single ones. */
const WHOLE: Field = { name: 'arguments', kind: 'json', isRequired: true, choices: undefined };

/** The arguments that a JSON Schema describes; for one that describes no object, a single field of JSON for all of them. */
export function fieldsOf(schema: unknown): readonly Field[] {
  const { properties, required = [] } = (schema ?? {}) as Node;
  if (properties === undefined) return [WHOLE];
  return Object.entries(properties).map(([name, node]) => ({
    name,
    kind: kindOf(node),
    isRequired: required.includes(name),
    choices: choicesOf(node),
  }));
}

function kindOf(node: Node): Field['kind'] {
  if (node.type === 'string') return 'text';
  if (node.type === 'number' || node.type === 'integer') return 'number';
  if (node.type === 'array' && node.items?.type === 'string') return 'list';
  // What may be a text may be typed as one.
  return node.anyOf?.some(({ type }) => type === 'string') ? 'text' : 'json';
}

function choicesOf(node: Node): readonly string[] | undefined {
  if (node.type === 'boolean') return ['true', 'false'];
  return node.type === 'string' ? node.enum?.map(String) : undefined;
}

/** What was typed, as arguments; what was left empty is left out. Throws an Error that names the field. */
export function valuesOf(
  fields: readonly Field[],
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  if (fields[0] === WHOLE)
    return fieldValue(WHOLE, typed[WHOLE.name] ?? '') as Readonly<Record<string, unknown>>;
  const values = fields.flatMap((field) => {
    const text = typed[field.name] ?? '';
    return text === '' && !(field.isRequired && field.kind === 'text')
      ? []
      : [[field.name, fieldValue(field, text)] as const];
  });
  return Object.fromEntries(values);
}

function fieldValue({ name, kind }: Field, text: string): unknown {
  switch (kind) {
    case 'text':
      return text;
    case 'list':
      return text.split(',').map((one) => one.trim());
    case 'number': {
      const number = Number(text);
      if (Number.isNaN(number)) throw new Error(`${name}: ${JSON.stringify(text)} is not a number`);
      return number;
    }
    case 'json':
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw new Error(`${name}: ${JSON.stringify(text)} is not JSON`);
      }
  }
}
