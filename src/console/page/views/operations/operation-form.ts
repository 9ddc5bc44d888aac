/** Form field for one argument of an operation. */
export interface Field {
  readonly name: string;
  /** `list` is written with commas; `json` is any type but text, number and list of texts. */
  readonly kind: 'text' | 'number' | 'list' | 'json';
  readonly isRequired: boolean;
  /** Allowed values. */
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

/** Field for all arguments together, where the schema does not describe each argument. */
const WHOLE: Field = { name: 'arguments', kind: 'json', isRequired: true, choices: undefined };

/** Fields for the arguments that a JSON Schema describes; a single JSON field for a schema that describes no object. */
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
  // An argument that may be a text gets a text field, even if it may have other types, too.
  return node.anyOf?.some(({ type }) => type === 'string') ? 'text' : 'json';
}

function choicesOf(node: Node): readonly string[] | undefined {
  if (node.type === 'boolean') return ['true', 'false'];
  return node.type === 'string' ? node.enum?.map(String) : undefined;
}

/** Converts the typed values to arguments, without the empty ones. Throws an Error that names the field. */
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
