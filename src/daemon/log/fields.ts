import type { LogFields } from '../../core/core.ts';

type FieldType = 'string' | 'number';

/** Allow-list of the fields of a log line; any other field that a caller passes is dropped. */
const allowed: { readonly [F in keyof Required<LogFields>]: FieldType } = {
  session: 'string',
  clientId: 'string',
  cmd: 'string',
  evt: 'string',
  code: 'number',
  pid: 'number',
  program: 'string',
  path: 'string',
  count: 'number',
  bytes: 'number',
  ms: 'number',
  reason: 'string',
};

/** Maximum length of a text (characters). Names of commands and the like come from peers, so log lines need a bound. */
const MAX_TEXT = 200;
/** The same for a reason: a sentence of ours, which ends with the remedy and may name several paths. */
const MAX_REASON = 600;

/** Copies the allowed fields of the right type, texts cut to 200 characters and a reason to 600. */
export function pickFields(fields: LogFields): Record<string, string | number> {
  const picked: Record<string, string | number> = {};
  for (const [name, type] of Object.entries(allowed)) {
    const value: unknown = Reflect.get(fields, name);
    if (typeof value !== type) continue;
    const max = name === 'reason' ? MAX_REASON : MAX_TEXT;
    picked[name] = typeof value === 'string' ? value.slice(0, max) : (value as number);
  }
  return picked;
}
