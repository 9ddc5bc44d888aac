/** Keys of declarations whose text is read by people only: the reference is made of it, and no program acts on it. */
const DOC_KEYS = new Set(['about', 'sentence', 'what', 'description']);

/** As much of a Babel path as is looked at here. */
export interface SourcePath {
  readonly node: {
    readonly type: string;
    readonly key?: { readonly name?: string };
    readonly callee?: { readonly name?: string; readonly property?: { readonly name?: string } };
    readonly value?: unknown;
    readonly operator?: string;
  };
  readonly parentPath: SourcePath | null;
}

/**
 * Why the schema of a record is not mutated: it is made when a row is first read and kept for all tests, so that no test
 * but the first would see the mutant.
 */
export function recordSchemaReason({ node, parentPath }: SourcePath): string | undefined {
  const isSchema = node.type === 'ObjectProperty' && node.key?.name === 'schema';
  const isOfRecord = parentPath?.parentPath?.node.callee?.name === 'defineRecord';
  return isSchema && isOfRecord ? 'schema of a record' : undefined;
}

/** Why a text is not mutated; undefined where it is. Another wording is no fault that a test should notice. */
export function docTextReason(path: SourcePath): string | undefined {
  if (path.node.type !== 'StringLiteral' && path.node.type !== 'TemplateLiteral') return undefined;
  let around = path.parentPath;
  while (around && (around.node.type === 'ArrayExpression' || around.node.type === 'BinaryExpression'))
    around = around.parentPath;
  const key = around?.node.type === 'ObjectProperty' ? around.node.key?.name : undefined;
  return key !== undefined && DOC_KEYS.has(key) ? `text of the reference: ${key}` : undefined;
}

/** Methods of tables that take a key or a value of an index. */
const LOOKUPS = new Set(['get', 'has', 'by']);

/** Why the text for an absent key, as in `users.get(id ?? '')`, is not mutated: no row has the one nor the other. */
export function absentKeyReason({ node, parentPath }: SourcePath): string | undefined {
  const isEmpty = node.type === 'StringLiteral' && node.value === '';
  if (!isEmpty || parentPath?.node.type !== 'LogicalExpression' || parentPath.node.operator !== '??')
    return undefined;
  const method = parentPath.parentPath?.node.callee?.property?.name ?? '';
  return LOOKUPS.has(method) ? 'key that no row has' : undefined;
}
