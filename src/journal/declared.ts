import { largeNumberIn, parseExact, printExact } from '../base/exact-json.ts';
import type { SchemaNode } from '../base/schema-node.ts';
import { STREAM_NOTICE } from '../wire/streams.ts';
import type { Direction } from './entry.ts';
import { type Member, NOTHING, positionOf, type SchemaPosition } from './schema-position.ts';
import { unread, withoutSecrets } from './without-secrets.ts';

/** A declared part of a payload: its schema, together with the definitions that the schema refers to. */
export interface Declared {
  readonly schema: SchemaNode;
}

/** Function that returns the declared members of a frame, with a schema for each. */
export type FrameDeclarations = (
  frame: { readonly opcode: number; readonly direction: Direction },
  payload: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, Declared | undefined>>;

/** Maximum depth of a value that is examined. No payload that is served is deeper. */
const MAX_LEVELS = 64;
/** Form of the key of an undeclared field: a name that programs use. A key of another form could itself be a secret. */
const FIELD_NAME = /^[a-z][a-z_]{0,31}$/i;

/** Returns the declared members of a payload unchanged, and the kind and length of all others. */
function onlyDeclared(
  payload: Readonly<Record<string, unknown>>,
  declared: Readonly<Record<string, Declared | undefined>>,
): Readonly<Record<string, unknown>> {
  return mapMembers(payload, (key) => {
    const schema = Object.hasOwn(declared, key) ? declared[key]?.schema : undefined;
    const position = schema === undefined ? NOTHING : positionOf(schema);
    return { isKnown: position.shapes.length > 0, position };
  });
}

/**
 * JSON text with the members that the schema declares, without secrets. Of all other members, it shows only kind and
 * length.
 */
export function declaredText(text: string, schema: SchemaNode | undefined): string {
  const position = schema === undefined ? NOTHING : positionOf(schema);
  return redactedText(text, (value) => redactUndeclared(value, position, MAX_LEVELS));
}

/** Like {@link declaredText}, for a payload whose members are declared individually. */
export function declaredMembers(
  text: string,
  declared: (payload: Fields) => Readonly<Record<string, Declared | undefined>>,
): string {
  return redactedText(text, (value) => {
    // Only an object can have declared members.
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const payload = value as Fields;
    return onlyDeclared(payload, declared(payload));
  });
}

function redactedText(text: string, redactValue: (value: unknown) => unknown): string {
  // Unlike other texts, the notice of a client that reads streams is known.
  if (text === '' || text === STREAM_NOTICE) return text;
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    return unread(text);
  }
  const declared = redactValue(value);
  return declared === undefined ? unread(text) : printExact(withoutSecrets(declared));
}

/** Whether a text of a query encodes a valid value of the object's member. */
export function takesText(schema: SchemaNode, name: string, text: string): boolean {
  const { position } = positionOf(schema).member(name);
  const { items } = position;
  // A query parameter may be any text, even if its operation reads a number from it, so unusual texts are hidden.
  if (redactSentence(text) !== text || [position, items].some((one) => isOddText(text, undefined, one)))
    return false;
  const values: unknown[] = [text];
  if (/^\d+$/.test(text)) values.push(Number(text));
  if (/^(?:true|false|0|1)$/i.test(text)) values.push(true);
  return [position, items].some(
    (one) => one.shapes.length > 0 && values.some((value) => isDeclaredAs(value, one)),
  );
}

type Fields = Readonly<Record<string, unknown>>;

function redactUndeclared(value: unknown, position: SchemaPosition, levels: number): unknown {
  if (typeof value !== 'object' || value === null) {
    if (!isDeclared(value, position) && !isPlainOfWrongType(value, position, levels)) return kindOf(value);
    return position.isSentence && typeof value === 'string' ? redactSentence(value) : value;
  }
  if (levels === 0) return '…';
  if (Array.isArray(value)) {
    const { items } = position;
    return value.map((item) => redactUndeclared(item, items, levels - 1));
  }
  const members = value as Readonly<Record<string, unknown>>;
  return mapMembers(members, (key) => position.member(key), levels - 1);
}

/** Nonces that are shown: a UUID or hash, a counter, a time or a random number. Any other nonce could be a secret. */
const PLAIN_NONCE = /^(?:[\w-]{1,12}|[\d.:-]{1,40}|[0-9a-f-]{32,36})$/i;
/** An id, or several ids in the notation of forms and queries. */
const IDS = /^(?:\d{1,20}(?:,\d{1,20})*)?$/;

/**
 * A program's message, which may quote its input. Plain words and numbers are shown; of everything else, only kind and
 * length.
 */
function redactSentence(sentence: string): string {
  return sentence
    .split(' ')
    .map((one) => (one === '' || WORD.test(one) ? one : kindOf(one)))
    .join(' ');
}

/**
 * A word that is shown. Unlike a secret, it does not mix letters and digits; punctuation may separate the parts of a
 * path or a name.
 */
const WORD = /^[("']*(?:[a-z_]{1,24}|\d{1,20})(?:[-.,:;/'"()[\]!?]+(?:[a-z_]{1,24}|\d{1,20})?)*$/i;

function isDeclared(value: unknown, position: SchemaPosition): boolean {
  if (value === null || typeof value === 'boolean' || value === '') return true;
  return isDeclaredAs(value, position);
}

/**
 * Whether a declared value is a number or plain words where another type belongs. It stays readable, because the answer
 * complains about it; in place of a token or a code it could be one, and words alone are in no field.
 */
function isPlainOfWrongType(value: unknown, { shapes, isSecret }: SchemaPosition, levels: number): boolean {
  if (shapes.length === 0 || isSecret) return false;
  if (typeof value === 'number') return true;
  return typeof value === 'string' && levels < MAX_LEVELS && redactSentence(value) === value;
}

function isDeclaredAs(value: unknown, { shapes }: SchemaPosition): boolean {
  return shapes.some(({ type, const: only, enum: some }) => {
    if (only !== undefined) return only === value;
    if (some !== undefined) return some.includes(value);
    const types = typeof type === 'string' ? [type] : (type ?? []);
    return types.some((one) => (one === 'integer' ? 'number' : one) === typeof value);
  });
}

/** Replaces a value that is not declared by its kind, such as `string(12)` or `number`. */
function kindOf(value: unknown): string {
  if (largeNumberIn(value) !== undefined) return 'number';
  return typeof value === 'string' ? `string(${value.length})` : typeof value;
}

/** Whether `text` is the replacement of an undeclared value (`string(12)` or `number`) and `value` has this kind. */
export function standsFor(text: unknown, value: unknown): boolean {
  if (text === 'number') return typeof value === 'number';
  return typeof value === 'string' && typeof text === 'string' && /^string\(\d+\)$/.test(text);
}

/** The members with shown names and values; the object itself where nothing changes. */
function mapMembers(value: Fields, memberOf: (key: string) => Member, levels = MAX_LEVELS): Fields {
  let isChanged = false;
  const members = Object.keys(value).map((key): [string, unknown] => {
    const member = value[key];
    const { isKnown, position } = memberOf(key);
    const name = isKnown || FIELD_NAME.test(key) ? key : `(key of ${key.length} characters)`;
    const isOdd = isOddText(member, key === 'nonce' ? PLAIN_NONCE : undefined, position);
    const shown = isOdd ? kindOf(member) : redactUndeclared(member, position, levels);
    isChanged ||= name !== key || shown !== member;
    return [name, shown];
  });
  return isChanged ? Object.fromEntries(members) : value;
}

/** Whether an id or nonce is declared, but the text has another form, so that it could be a secret. */
function isOddText(value: unknown, nonce: RegExp | undefined, { isId }: SchemaPosition): boolean {
  if (typeof value !== 'string') return false;
  return (nonce !== undefined && !nonce.test(value)) || (isId && !IDS.test(value));
}
