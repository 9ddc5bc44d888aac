import { invalid } from './errors.ts';
import type { ClientOptions } from './options.ts';

type Rule = readonly [isRight: (value: never) => boolean, wanted: string];

const isBoolean: Rule = [(value: unknown) => typeof value === 'boolean', 'true or false'];
const isTime: Rule = [
  (value: unknown) => typeof value === 'number' && value >= 0,
  'milliseconds, as a number',
];

const rules: { readonly [K in keyof Required<ClientOptions>]: Rule } = {
  // A number would lose digits.
  clientId: [(value: unknown) => isText(value) && /^[1-9]\d{0,19}$/.test(value), 'a decimal id, as text'],
  paths: [(value: unknown) => Array.isArray(value) && value.every(isText), 'a list of texts'],
  anyOwner: isBoolean,
  // Not `instanceof`: a signal from another realm has another class.
  signal: [
    (value: AbortSignal | null) => typeof value?.addEventListener === 'function' && 'aborted' in value,
    'an AbortSignal',
  ],
  wait: isBoolean,
  reconnect: isBoolean,
  keepAlive: isBoolean,
  connectTimeoutMs: isTime,
  requestTimeoutMs: isTime,
  json: [
    (value: Partial<JSON> | null) =>
      typeof value?.parse === 'function' && typeof value.stringify === 'function',
    'an object with parse and stringify, as JSON is',
  ],
  token: [(value: unknown) => typeof value === 'function', 'a function that gives the token'],
};

/**
 * Throws FOOTBRIDGE_INVALID_ARGUMENT that names an invalid option, for programs in JavaScript: a text instead of a list
 * of paths would be tried letter by letter. The error does not contain the value, which may be a token.
 */
export function checkOptions(options: ClientOptions): void {
  if (typeof options !== 'object' || options === null) invalid('options', 'an object');
  for (const [name, [isRight, wanted]] of Object.entries(rules)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && name !== 'clientId') continue;
    if (!isRight(value as never)) invalid(name, wanted);
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
