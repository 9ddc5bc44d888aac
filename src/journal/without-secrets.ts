import { parseExact, printExact } from '../base/exact-json.ts';
import { STREAM_NOTICE } from '../wire/streams.ts';
import { addressWithoutSecrets, isAddress, parametersWithoutSecrets } from './addresses.ts';
import { HIDDEN, isSecretName, SCHEMES } from './secret-names.ts';

/** Such as `BASE_TYPE_REQUIRED`. */
const ERROR_NAME = /^[A-Z]{2,20}(?:_[A-Z]{2,20}){1,8}$/;
/** Maximum depth of a value that is examined. No payload that is served is deeper. */
const MAX_LEVELS = 64;

/** A JSON value without its secrets; all other members stay unchanged. */
export function withoutSecrets(value: unknown, isSecret = false, levels = MAX_LEVELS): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? HIDDEN : proseWithoutSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, isSecret, levels - 1));
  const fields = value as Fields;
  const named = isSecretField(fields);
  const labelled = isFieldOfSecret(fields, 'label');
  let isChanged = false;
  const members = Object.keys(fields).map((key): [string, unknown] => {
    const member = fields[key];
    const isField = (named && VALUES.has(key)) || (labelled && key === 'component');
    const isHidden = isSecret || isSecretName(key) || isField;
    // The name of an error as its `code` is as public as the error's number.
    if (key === 'code' && !isSecret && typeof member === 'string' && ERROR_NAME.test(member))
      return [key, member];
    // The secret value of a command option or modal field may be a number.
    const isValue = isField || (isSecret && VALUES.has(key));
    const shown = withoutSecrets(isValue ? withoutNumbers(member) : member, isHidden, levels - 1);
    isChanged ||= shown !== member;
    return [key, shown];
  });
  return isChanged ? Object.fromEntries(members) : value;
}

function withoutNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNumbers);
  return typeof value === 'number' ? HIDDEN : value;
}

type Fields = Readonly<Record<string, unknown>>;

/** Members that name an option of a command or a field of a modal, and members that contain its value. */
const FIELD_NAMES = ['name', 'custom_id', 'label'] as const;
const VALUES: ReadonlySet<string> = new Set(['value', 'values']);
/** Parts of the name of an option or a field whose value is a secret. */
const IN_FIELD_NAMES = ['token', 'secret'];

function isSecretField(fields: Fields): boolean {
  if (!Object.hasOwn(fields, 'value') && !Object.hasOwn(fields, 'values')) return false;
  return FIELD_NAMES.some((key) => isFieldOfSecret(fields, key));
}

function isFieldOfSecret(fields: Fields, key: (typeof FIELD_NAMES)[number]): boolean {
  const name = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (typeof name !== 'string') return false;
  const lower = name.toLowerCase();
  return isSecretName(name) || IN_FIELD_NAMES.some((part) => lower.includes(part));
}

/**
 * JSON text without its secrets. Text that is not JSON, or a bare JSON string, is replaced by `(not JSON)` with its
 * length, because its content is unknown. Values that are already hidden, and the notice of streams, stay unchanged.
 */
export function textWithoutSecrets(text: string): string {
  if (text === '' || text === STREAM_NOTICE || UNREAD.test(text)) return text;
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    return unread(text);
  }
  return typeof value === 'string' ? unread(text) : printExact(withoutSecrets(value));
}

const UNREAD = /^\(not JSON, \d{1,10} characters\)$/;

/** Replacement of a text whose content is unknown. */
export function unread(text: string): string {
  return `(not JSON, ${text.length} characters)`;
}

/** Meaning of the next word, as determined by the words before it. */
type Expected =
  | 'nothing'
  /** The word follows the name of a secret. */
  | 'separator'
  /**
   * The word follows the name of a secret and a colon. It may also begin a sentence, as in the emulator's own errors.
   */
  | 'value'
  /** The word follows `Bearer` or `Bot`, which also occur in sentences. */
  | 'token'
  /** The word follows `Authorization:`. */
  | 'credentials'
  /** The word belongs to a quoted secret whose closing quote has not come yet. */
  | 'rest';

/** Minimum length of a secret after its name and a colon (characters). A shorter word is part of a sentence. */
const MIN_VALUE = 12;
/** Minimum length of a token after `Bearer` (characters). A shorter word is part of a sentence. */
const MIN_TOKEN = 16;
/** Punctuation that may surround a word. */
const OPENING: ReadonlySet<string> = new Set('("\'<[{`');
const CLOSING: ReadonlySet<string> = new Set(')"\'>]}`.,;:!?');
const QUOTE = /["'`]/;

/** Text without the punctuation that separates a secret from its name, and without an address or a token by its form. */
const PLAIN = /^[\w ,!()-]*$/;
/** A token follows these words without punctuation. */
const SCHEME_WORD = /\b(?:bearer|bot)\b/i;

/** Readable text without the secrets that it quotes. */
export function proseWithoutSecrets(text: string): string {
  if (PLAIN.test(text) && !SCHEME_WORD.test(text)) return text;
  let expected: Expected = 'nothing';
  return text
    .split(/(\s+)/)
    .map((word) => {
      if (word.trim() === '') return word;
      const read = readWord(word, expected);
      expected = read.next;
      return read.redacted;
    })
    .join('');
}

function readWord(word: string, expected: Expected): { readonly redacted: string; readonly next: Expected } {
  const { before, core, behind } = partsOf(word);
  const hidden = `${before}${HIDDEN}${behind}`;
  const lower = core.toLowerCase();
  const isQuoted = QUOTE.test(before);
  switch (expected) {
    case 'rest':
      return { redacted: hidden, next: QUOTE.test(behind) ? 'nothing' : 'rest' };
    case 'credentials':
      if (SCHEMES.has(lower) && behind === '') return { redacted: word, next: 'credentials' };
      return { redacted: hidden, next: 'nothing' };
    case 'token':
      if (core.length >= MIN_TOKEN && !withoutSigns(core).includes('='))
        return { redacted: hidden, next: 'nothing' };
      break;
    case 'value':
      if (isQuoted) return { redacted: hidden, next: QUOTE.test(behind) ? 'nothing' : 'rest' };
      if (core.length >= MIN_VALUE) return { redacted: hidden, next: 'nothing' };
      break;
    case 'separator':
      if (/[:=]/.test(word) && !/\w/.test(word)) return { redacted: word, next: 'value' };
      break;
    default:
  }
  const name = core.replace(/=$/, '');
  if (!/[=:/?&%\\]/.test(name) && isSecretName(name)) {
    if (name === core && !/[:=]/.test(behind)) return { redacted: word, next: 'separator' };
    const isHeader = name.toLowerCase().endsWith('authorization');
    return { redacted: word, next: isHeader ? 'credentials' : 'value' };
  }
  if (lower === 'bearer' || lower === 'bot') return { redacted: word, next: 'token' };
  const visible = redactCore(core);
  const next = visible.endsWith(HIDDEN) && visible !== core ? behindHidden(word, lower) : 'nothing';
  return { redacted: `${before}${visible}${behind}`, next };
}

/** Splits a word from the punctuation around it. */
function partsOf(word: string): { readonly before: string; readonly core: string; readonly behind: string } {
  let [begin, end] = [0, word.length];
  while (begin < end && OPENING.has(word.charAt(begin))) begin += 1;
  while (end > begin && CLOSING.has(word.charAt(end - 1))) end -= 1;
  return { before: word.slice(0, begin), core: word.slice(begin, end), behind: word.slice(end) };
}

/** A token without the equals signs that may end it (RFC 4648 section 4). */
function withoutSigns(token: string): string {
  let end = token.length;
  while (end > 0 && token.charAt(end - 1) === '=') end -= 1;
  return token.slice(0, end);
}

/** Meaning of the next word after a word with a hidden part, which may end with a scheme or with an open quote. */
function behindHidden(word: string, lower: string): Expected {
  if ([...SCHEMES].some((scheme) => lower.endsWith(scheme))) return 'credentials';
  return word.split('').filter((sign) => QUOTE.test(sign)).length % 2 === 1 ? 'rest' : 'nothing';
}

/**
 * Tokens by their form alone: of a bot (the id in base64url, a time, a signature), of a user with two factors, of a bot without a configured token in the
 * emulator, and a JSON Web Token (RFC 7519 section 3). Each repetition has an end, so that a long word is read in linear time.
 */
const TOKEN_FORM =
  /[MNO][\w-]{20,40}\.[\w-]{6,12}\.[\w-]{25,120}|[MNO][\w-]{1,40}\.emulator\.bot|mfa\.[\w-]{50,100}|eyJ[\w-]{8,200}\.eyJ[\w.-]*/g;
/** Length of the shortest such token. */
const MIN_TOKEN_FORM = 15;

/** Returns a word unchanged, or with its secrets hidden. */
function redactCore(whole: string): string {
  const isLong = whole.length >= MIN_TOKEN_FORM && whole.includes('.');
  const core = isLong ? whole.replace(TOKEN_FORM, HIDDEN) : whole;
  // Escaped text and JSON may contain any secret, so they are hidden.
  if (core.includes('\\') || /%[0-9a-f]{2}/i.test(core) || core.includes('":')) return HIDDEN;
  if (isAddress(core)) return addressWithoutSecrets(core, Number.POSITIVE_INFINITY);
  if (core.includes('&') && core.includes('=')) return parametersWithoutSecrets(core);
  let name = '';
  for (let index = 0; index < core.length; index += 1) {
    const sign = core.charAt(index);
    if (sign !== ':' && sign !== '=') name += sign;
    else if (isSecretName(name)) return core.slice(0, index + 1) + HIDDEN;
    else name = '';
  }
  return core;
}
