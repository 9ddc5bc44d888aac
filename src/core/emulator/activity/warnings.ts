import type * as z from 'zod';
import { unknownKey } from '../../../emulator/kernel/unknown-key.ts';
import { isObject, type JsonObject } from '../../../protocol/json.ts';
import { activity } from '../../../protocol/shapes/activity.ts';

/** A warning about an activity that the real client accepts. */
export interface ActivityWarning {
  /** Path of the field, such as `activity.party.size`. */
  readonly field: string;
  /** Text that follows the field and a colon. */
  readonly reason: string;
}

/** Maximum number of warnings per activity: an app may send any number of keys. */
const MAX_WARNINGS = 8;
/**
 * Bounds of the documentation (characters), which the client does not enforce: the maximum length of an image text, and
 * the minimum length of a name.
 */
const MAX_IMAGE_CHARS = 300;
const MIN_NAME_CHARS = 2;

/**
 * Returns warnings about an activity of a valid shape, as the app sent it: unknown keys, more members in the party than
 * its size, links that no browser opens, texts of a length that the public documentation excludes, secrets that contain
 * the party id. The warnings include no values, and only the first letters of keys.
 */
export function lintActivity(sent: unknown): readonly ActivityWarning[] {
  if (!isObject(sent)) return [];
  const found: ActivityWarning[] = [];
  const warn = (field: string, reason: string): void => {
    if (found.length < MAX_WARNINGS) found.push({ field, reason });
  };
  findUnknownKeys(activity(), sent, 'activity', warn);
  const { assets, buttons, name, party, secrets } = sent;
  if (typeof name === 'string' && name.length < MIN_NAME_CHARS) {
    warn('activity.name', `must have at least ${MIN_NAME_CHARS} characters`);
  }
  if (isObject(party)) {
    lintSize(party['size'], warn);
    if (isObject(secrets)) lintSecrets(secrets, party['id'], warn);
  }
  const links: [string, unknown][] = ['state_url', 'details_url'].map((key) => [key, sent[key]]);
  if (isObject(assets)) {
    links.push(...['large_url', 'small_url'].map((key): [string, unknown] => [`assets.${key}`, assets[key]]));
    for (const key of ['large_image', 'small_image', 'invite_cover_image']) {
      lintImage(`activity.assets.${key}`, assets[key], warn);
    }
  }
  if (Array.isArray(buttons)) {
    links.push(
      ...buttons.map((button, index): [string, unknown] => [
        `buttons[${index}].url`,
        isObject(button) ? button['url'] : undefined,
      ]),
    );
  }
  for (const [key, link] of links) {
    if (typeof link === 'string' && !isWebAddress(link)) {
      warn(`activity.${key}`, 'must be an address that begins with http:// or https://');
    }
  }
  return found;
}

type Warn = (field: string, reason: string) => void;

function findUnknownKeys(schema: z.core.$ZodType, value: unknown, at: string, warn: Warn): void {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable') {
    findUnknownKeys(def.innerType, value, at, warn);
  } else if (def.type === 'array' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      findUnknownKeys(def.element, item, `${at}[${index}]`, warn);
    }
  } else if (def.type === 'object' && isObject(value)) {
    const known = Object.keys(def.shape);
    let unknown = 0;
    for (const key in value) {
      const inner = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
      if (inner !== undefined) findUnknownKeys(inner, value[key], `${at}.${key}`, warn);
      // Beyond the maximum nothing is searched: finding the nearest key takes time, and further warnings would be
      // dropped.
      else if (unknown++ < MAX_WARNINGS) warn(`${at}${keyInPath(key)}`, unknownKey(key, known));
    }
  }
}

function keyInPath(key: string): string {
  return /^\w{1,40}$/.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, 40))}]`;
}

function lintSize(size: unknown, warn: Warn): void {
  if (!Array.isArray(size)) return;
  const [current, max] = size as readonly number[];
  if (current === undefined || max === undefined) return;
  if (!Number.isInteger(current) || !Number.isInteger(max)) {
    warn('activity.party.size', 'must be two whole numbers: how many are in it, and how many it holds');
  } else if (current > max) {
    warn('activity.party.size', `${current} cannot be in a party that holds ${max}: write [in it, holds]`);
  }
}

function lintSecrets(secrets: JsonObject, partyId: unknown, warn: Warn): void {
  if (typeof partyId !== 'string') return;
  for (const name of ['match', 'join', 'spectate']) {
    const secret = secrets[name];
    if (typeof secret === 'string' && secret.includes(partyId)) {
      warn(`activity.secrets.${name}`, 'should not contain the party id, which everyone sees');
    }
  }
}

function lintImage(field: string, image: unknown, warn: Warn): void {
  if (typeof image !== 'string') return;
  if (image.length > MAX_IMAGE_CHARS) warn(field, `must have at most ${MAX_IMAGE_CHARS} characters`);
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(image) && !isWebAddress(image)) {
    warn(field, 'must be the key of an asset, or an address that begins with http:// or https://');
  }
}

function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address);
}
