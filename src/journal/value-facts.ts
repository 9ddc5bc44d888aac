import { printable } from '../base/text.ts';
import { isHiddenText } from './secret-names.ts';

/** Maximum length of the facts of a value, and of one text in them (characters). */
const MAX_CHARACTERS = 160;
const MAX_TEXT = 60;
/** Maximum length of the texts of a list (characters): four ids are in it. */
const MAX_TEXTS = 100;

/** Members that identify a value, the most specific first. */
const IDENTIFYING = [
  'code',
  'message',
  'content',
  'name',
  'username',
  'custom_id',
  'title',
  'status',
  'author',
  'user',
  'emoji',
  'guild_id',
  'channel_id',
  'message_id',
  'user_id',
  'id',
] as const;
/** Lists whose texts say what a payload is about. */
const READ_LISTS: ReadonlySet<string> = new Set(['embeds', 'components', 'choices', 'roles']);
/** Members of embeds, components and choices with texts that users read, in the order in which they read them. */
const TEXTS = ['content', 'title', 'description', 'name', 'value', 'label', 'text', 'placeholder'] as const;
/** Members that stand for an object in a member. */
const NAMES = ['username', 'name', 'id'] as const;

/**
 * Summary of a value in a payload, in one line: `content="ahoy" author="ana" channel_id="7" embeds=1`. A list has its
 * length, and one of embeds or the like its first texts; a value that the journal hides is left out.
 */
export function factsText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '' : `items=${value.length}`;
  if (typeof value !== 'object' || value === null) return '';
  const fields = value as Readonly<Record<string, unknown>>;
  const facts = IDENTIFYING.flatMap((name) =>
    Object.hasOwn(fields, name) ? factOf(name, fields[name]) : [],
  );
  const lists = Object.entries(fields).flatMap(([name, member]) =>
    Array.isArray(member) && member.length > 0
      ? [`${name}=${member.length}${READ_LISTS.has(name) ? textsText(member) : ''}`]
      : [],
  );
  return cut([...facts, ...lists]);
}

/** Values of a payload without a name, such as the end of a timeout: `archived=true locked=true`. */
export function valuesText(value: object): string {
  return cut(Object.entries(value).flatMap(([name, one]) => factOf(name, one)));
}

function cut(facts: readonly string[]): string {
  const text = printable(facts.join(' '));
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

/** The texts in embeds, components or choices, in brackets: ` ("Welcome!")`; empty where there is none. */
export function textsText(list: readonly unknown[]): string {
  const text = [...new Set(textsIn(list))].map((one) => JSON.stringify(one)).join(', ');
  if (text === '') return '';
  return ` (${text.length > MAX_TEXTS ? `${text.slice(0, MAX_TEXTS)}…` : text})`;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' || isHiddenText(value) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one));
  const fields = Object(value) as Readonly<Record<string, unknown>>;
  const own = TEXTS.flatMap((name) => (typeof fields[name] === 'string' ? textsIn(fields[name]) : []));
  const inner = Object.values(fields).filter((one) => typeof one === 'object' && one !== null);
  return [...own, ...textsIn(inner)];
}

function factOf(name: string, value: unknown): readonly string[] {
  switch (typeof value) {
    case 'string': {
      const isHidden: boolean = isHiddenText(value);
      if (value === '' || isHidden) return [];
      return [`${name}=${JSON.stringify(value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value)}`];
    }
    case 'number':
    case 'boolean':
      return [`${name}=${value}`];
    case 'object': {
      const inner = Object(value) as Readonly<Record<string, unknown>>;
      const by = NAMES.find((one) => typeof inner[one] === 'string');
      return by === undefined ? [] : factOf(name, inner[by]);
    }
    default:
      return [];
  }
}
