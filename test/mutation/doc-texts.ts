/** Keys of declarations whose text is read by people only: the reference is made of it, and no program acts on it. */
const DOC_KEYS = new Set(['about', 'sentence', 'what', 'description']);

/** As much of a Babel path as is looked at here. */
interface SourcePath {
  readonly node: { readonly type: string; readonly key?: { readonly name?: string } };
  readonly parentPath: SourcePath | null;
}

/** Why a piece of source is not mutated; undefined where it is. Another wording is no fault that a test should notice. */
export function docTextReason(path: SourcePath): string | undefined {
  if (path.node.type !== 'StringLiteral' && path.node.type !== 'TemplateLiteral') return undefined;
  let around = path.parentPath;
  while (around && (around.node.type === 'ArrayExpression' || around.node.type === 'BinaryExpression'))
    around = around.parentPath;
  const key = around?.node.type === 'ObjectProperty' ? around.node.key?.name : undefined;
  return key !== undefined && DOC_KEYS.has(key) ? `text of the reference: ${key}` : undefined;
}
