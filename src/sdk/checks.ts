import { ValidationError } from './result.ts';
import { type Id, uint64 } from './values.ts';

/** Returns an id in the wire format (decimal text). Throws ValidationError that names the argument. */
export function idText(field: string, value: Id): string {
  return String(valid(() => uint64(field, value)));
}

/** Text that is not empty. Throws ValidationError that names the argument. */
export function needText(field: string, value: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new ValidationError(`${field}: must be a string, not empty`);
}

/** Returns a token that an HTTP header can carry. Throws ValidationError that names the argument. */
export function needToken(field: string, value: string): string {
  if (/^[\x21-\x7e]+$/.test(needText(field, value))) return value;
  throw new ValidationError(`${field}: must be one token, of visible ASCII characters alone`);
}

/** Returns valid metadata (texts by name). Throws ValidationError that names the argument. */
export function metadataOf(
  field: string,
  value: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isOne = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isOne && Object.values(value).every((one) => typeof one === 'string')) return value;
  throw new ValidationError(`${field}: must be an object whose members are strings`);
}

/** Runs a check and turns its exception into a ValidationError, which becomes the call's result. */
export function valid<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new ValidationError((error as Error).message);
  }
}
