import { parseUrl } from '../../../../src/base/url.ts';
import { isRecord } from '../../../../src/conformance/schema.ts';

/** A rule for arguments: its name, and whether a value breaks it. */
interface Rule {
  readonly name: string;
  readonly breaks: (value: Record<string, unknown>) => boolean;
}

const text = (value: unknown, min: number, max: number) =>
  value !== undefined &&
  value !== null &&
  (typeof value !== 'string' || value.length < min || value.length > max);
const link = (value: unknown, max: number) =>
  value !== undefined &&
  value !== null &&
  (typeof value !== 'string' || value.length > max || parseUrl(value) === undefined);
const part = (value: Record<string, unknown>, key: string): Record<string, unknown> => {
  const found = value[key];
  return isRecord(found) ? found : {};
};
const buttons = (activity: Record<string, unknown>): Record<string, unknown>[] | undefined => {
  const list = activity['buttons'];
  return Array.isArray(list) && list.every(isRecord) ? list : undefined;
};
const stamp = (value: unknown) => value !== undefined && (typeof value !== 'number' || value < 1);
const isSize = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'number' && one >= 0);

/** What an activity must be. */
export const activityRules: readonly Rule[] = [
  { name: 'text-type', breaks: (a) => ['details', 'state'].some((key) => typeof a[key] === 'number') },
  { name: 'details', breaks: (a) => typeof a['details'] === 'string' && text(a['details'], 2, 128) },
  { name: 'state', breaks: (a) => typeof a['state'] === 'string' && text(a['state'], 2, 128) },
  { name: 'name', breaks: (a) => text(a['name'], 1, 128) },
  { name: 'links', breaks: (a) => link(a['details_url'], 256) || link(a['state_url'], 256) },
  { name: 'timestamps', breaks: (a) => Object.values(part(a, 'timestamps')).some((one) => stamp(one)) },
  { name: 'image', breaks: (a) => text(part(a, 'assets')['large_image'], 1, 313) },
  {
    name: 'image-text',
    breaks: (a) => ['large_text', 'small_text'].some((key) => text(part(a, 'assets')[key], 2, 128)),
  },
  { name: 'links', breaks: (a) => link(part(a, 'assets')['large_url'], 256) },
  {
    name: 'party-size',
    breaks: (a) => Object.hasOwn(part(a, 'party'), 'size') && !isSize(part(a, 'party')['size']),
  },
  { name: 'party-id', breaks: (a) => text(part(a, 'party')['id'], 2, 128) },
  {
    name: 'party-privacy',
    breaks: (a) => ![undefined, 0, 1].includes(part(a, 'party')['privacy'] as number),
  },
  { name: 'buttons', breaks: (a) => a['buttons'] !== undefined && buttons(a) === undefined },
  {
    name: 'button-count',
    breaks: (a) => [0, 3].includes(buttons(a)?.length ?? 1),
  },
  { name: 'button-label', breaks: (a) => buttons(a)?.some((one) => text(one['label'], 1, 32)) ?? false },
  { name: 'button-url', breaks: (a) => buttons(a)?.some((one) => link(one['url'], 512)) ?? false },
  { name: 'secret', breaks: (a) => Object.values(part(a, 'secrets')).some((one) => text(one, 2, 128)) },
  {
    name: 'platforms',
    breaks: (a) => Array.isArray(a['supported_platforms']) && a['supported_platforms'].length > 10,
  },
  {
    name: 'display-type',
    breaks: (a) => ![undefined, 0, 1, 2].includes(a['status_display_type'] as number),
  },
];

const secretsOf = (activity: Record<string, unknown>) =>
  Object.values(part(activity, 'secrets')).filter((one) => typeof one === 'string');

/** Whether a secret contains the party id, which a server should accept. */
export function isSecretFromParty(activity: Record<string, unknown>): boolean {
  const id = part(activity, 'party')['id'];
  return typeof id === 'string' && secretsOf(activity).some((one) => one !== id && one.includes(id));
}

/** What secrets must not be. */
export const secretRules: readonly Rule[] = [
  {
    name: 'secret-party',
    breaks: (a) => {
      const id = part(a, 'party')['id'];
      return typeof id === 'string' && secretsOf(a).includes(id);
    },
  },
  { name: 'secret-unique', breaks: (a) => new Set(secretsOf(a)).size < secretsOf(a).length },
  { name: 'secret-buttons', breaks: (a) => secretsOf(a).length > 0 && a['buttons'] !== undefined },
];

const outside = (value: unknown, min: number, max: number) =>
  typeof value === 'number' && (value < min || value > max);

/** What a change of the voice settings must be. */
export const voiceRules: readonly Rule[] = [
  { name: 'input-volume', breaks: (s) => outside(part(s, 'input')['volume'], 0, 100) },
  { name: 'output-volume', breaks: (s) => outside(part(s, 'output')['volume'], 0, 200) },
  { name: 'threshold', breaks: (s) => outside(part(s, 'mode')['threshold'], -100, 0) },
  { name: 'delay', breaks: (s) => outside(part(s, 'mode')['delay'], 0, 2000) },
  {
    name: 'voice-types',
    breaks: (s) =>
      ['mute', 'deaf', 'qos'].some((key) => s[key] !== undefined && typeof s[key] !== 'boolean') ||
      typeof part(s, 'input')['volume'] === 'string',
  },
  {
    name: 'device',
    breaks: (s) => ![undefined, 'default'].includes(part(s, 'input')['device_id'] as string),
  },
  {
    name: 'mode',
    breaks: (s) => ![undefined, 'PUSH_TO_TALK', 'VOICE_ACTIVITY'].includes(part(s, 'mode')['type'] as string),
  },
  {
    name: 'shortcut',
    breaks: (s) => {
      const keys = part(s, 'mode')['shortcut'];
      return Array.isArray(keys) && keys.some((key) => !isRecord(key) || typeof key['code'] !== 'number');
    },
  },
];

/** True when a value breaks one of the rules that are enforced. */
export function isBroken(
  rules: readonly Rule[],
  value: Record<string, unknown>,
  lenient: ReadonlySet<string>,
): boolean {
  return rules.some((rule) => !lenient.has(rule.name) && rule.breaks(value));
}
