import { printable } from '../base/text.ts';
import { isHiddenText } from './secret-names.ts';

/** Maximum length of the facts of a value, and of one text in them (characters). */
const MAX_CHARACTERS = 160;
const MAX_TEXT = 60;

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
/** Members that stand for an object in a member. */
const NAMES = ['username', 'name', 'id'] as const;

/**
 * Summary of a value in a payload, in one line: `content="ahoy" author="ana" channel_id="7" embeds=1`. A list has its
 * length, and a value that the journal hides is left out.
 */
export function factsText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '' : `items=${value.length}`;
  if (typeof value !== 'object' || value === null) return '';
  const fields = value as Readonly<Record<string, unknown>>;
  const facts = IDENTIFYING.flatMap((name) =>
    Object.hasOwn(fields, name) ? factOf(name, fields[name]) : [],
  );
  const lists = Object.entries(fields).flatMap(([name, member]) =>
    Array.isArray(member) && member.length > 0 ? [`${name}=${member.length}`] : [],
  );
  const text = printable([...facts, ...lists].join(' '));
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
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
