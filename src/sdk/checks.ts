import { ValidationError } from './result.ts';
import { type Id, uint64 } from './values.ts';

/** An id as the wire has it. Throws ValidationError that names the argument. */
export function idText(field: string, value: Id): string {
  return String(valid(() => uint64(field, value)));
}

/** Text that is not empty. Throws ValidationError that names the argument. */
export function needText(field: string, value: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new ValidationError(`${field}: must be a string, not empty`);
}

/** A token as a header can carry it. Throws ValidationError that names the argument. */
export function needToken(field: string, value: string): string {
  if (/^[\x21-\x7e]+$/.test(needText(field, value))) return value;
  throw new ValidationError(`${field}: must be one token, of visible ASCII characters alone`);
}

/** Metadata: texts by name. Throws ValidationError that names the argument. */
export function metadataOf(
  field: string,
  value: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isOne = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isOne && Object.values(value).every((one) => typeof one === 'string')) return value;
  throw new ValidationError(`${field}: must be an object whose members are strings`);
}

/** Turns an exception of a check into an outcome. */
export function valid<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new ValidationError((error as Error).message);
  }
}
