import { isUri } from '../base/url.ts';
import { invalid } from './errors.ts';
import type { Activity } from './generated.ts';
import type { Lenient } from './options.ts';

/** {@link Activity} as program input: times may be a Date, or milliseconds since the Unix epoch. */
export type ActivityInput = Lenient<Omit<Activity, 'timestamps'>> & {
  readonly timestamps?:
    | { readonly start?: number | Date | undefined; readonly end?: number | Date | undefined }
    | undefined;
};

/** Returns the text of the unmet requirement; undefined for a valid value. */
type Rule = (value: unknown) => string | undefined;
interface Rules {
  readonly [key: string]: Rule | Rules;
}

/**
 * Validates an activity against the limits of SET_ACTIVITY (protocol 7.2) and converts it to the wire format. Throws
 * ClientError FOOTBRIDGE_INVALID_ARGUMENT that names the first invalid field.
 */
export function wireActivity(activity: ActivityInput): Activity {
  object('activity', activity);
  const { timestamps, ...rest } = activity;
  const { start, end } = object('activity.timestamps', timestamps ?? {});
  const moments = { start: milliseconds(start), end: milliseconds(end) };
  const wire = timestamps ? { ...rest, timestamps: moments } : rest;
  check('activity', wire, RULES);
  const { party } = activity;
  const buttons = activity.buttons ?? [];
  for (const [i, button] of buttons.entries()) {
    check(`activity.buttons[${i}]`, { ...NO_BUTTON, ...button }, BUTTON);
  }
  checkSecrets(activity.secrets ?? {}, party?.id, buttons.length > 0);
  return wire as Activity;
}

/** A secret must equal neither the party id, which everyone sees, nor another secret. */
function checkSecrets(secrets: object, partyId: string | null | undefined, hasButtons: boolean): void {
  const nonEmpty = Object.entries(secrets).filter(([, secret]) => secret);
  for (const [index, [name, secret]] of nonEmpty.entries()) {
    const field = `activity.secrets.${name}`;
    if (secret === partyId) invalid(field, `another text than party.id (${JSON.stringify(partyId)})`);
    const [same] = nonEmpty.slice(0, index).find(([, other]) => other === secret) ?? [];
    if (same !== undefined) invalid(field, `another text than secrets.${same}`);
    if (hasButtons) invalid(field, 'unset where there are buttons');
  }
}

/** Lengths are counted in UTF-16 units, as the server counts them. */
const text =
  (max = 128, min = 2): Rule =>
  (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max
      ? undefined
      : `text of ${min} to ${max} characters`;
const link =
  (max = 256): Rule =>
  (value) =>
    text(max)(value) ?? (isUri(value as string) ? undefined : 'a valid URI');
const oneOf =
  (...allowed: readonly unknown[]): Rule =>
  (value) =>
    allowed.includes(value) ? undefined : `one of ${allowed.join()}`;
const list =
  (min: number, max: number, item: Rule): Rule =>
  (value) =>
    Array.isArray(value) && value.length >= min && value.length <= max
      ? value.map(item).find(Boolean)
      : `a list of ${min} to ${max}`;
const number =
  (min: number): Rule =>
  (value) =>
    typeof value === 'number' && value >= min ? undefined : `a number from ${min}`;

const image = text(313, 1);
const NO_BUTTON = { label: '', url: '' };
const BUTTON: Rules = { label: text(32, 1), url: link(512) };
const RULES: Rules = {
  name: text(128, 1),
  type: oneOf(0, 2, 3, 5),
  state: text(),
  state_url: link(),
  details: text(),
  details_url: link(),
  timestamps: { start: number(1), end: number(1) },
  assets: {
    large_image: image,
    large_text: text(),
    large_url: link(),
    small_image: image,
    small_text: text(),
    small_url: link(),
    invite_cover_image: image,
  },
  party: {
    id: text(),
    size: list(2, 2, number(0)),
    privacy: oneOf(0, 1),
  },
  secrets: { match: text(), join: text(), spectate: text() },
  buttons: list(1, 2, () => undefined),
  instance: oneOf(true, false),
  supported_platforms: list(1, 10, text(32, 1)),
  status_display_type: oneOf(0, 1, 2),
};

function check(path: string, value: unknown, rules: Rules): void {
  for (const [key, rule] of Object.entries(rules)) {
    const at = (value as Readonly<Record<string, unknown>>)[key];
    // The server validates null.
    if (at == null) continue;
    const where = `${path}.${key}`;
    if (typeof rule !== 'function') check(where, object(where, at), rule);
    else {
      const wanted = rule(at);
      if (wanted) invalid(where, wanted);
    }
  }
}

function object<T>(path: string, value: T): T {
  return typeof value === 'object' && value ? value : invalid(path, 'an object');
}

function milliseconds(value: number | Date | undefined): number | undefined {
  return value instanceof Date ? value.getTime() : value;
}
