import type * as z from 'zod';
import { unknownKey } from '../../../emulator/kernel/unknown-key.ts';
import { isObject, type JsonObject } from '../../../protocol/json.ts';
import { activity } from '../../../protocol/shapes/activity.ts';

/** A warning about an activity that the real client accepts. */
export interface Doubt {
  /** Such as `activity.party.size`. */
  readonly field: string;
  /** Text that follows the field and a colon. */
  readonly reason: string;
}

/** Maximum number of warnings per activity: an app may send any number of keys. */
const MOST = 8;
/** The documentation allows fewer characters than the client. */
const MOST_IMAGE = 300;
const LEAST_NAME = 2;

/**
 * Warnings about an activity, as the app sent it, of a valid shape: unknown keys, more members in the party than it
 * holds, links that no browser opens, texts of a length that the public documentation excludes, secrets that contain
 * the party id. The warnings include no values, and only the first letters of keys.
 */
export function doubtsOf(sent: unknown): readonly Doubt[] {
  if (!isObject(sent)) return [];
  const found: Doubt[] = [];
  const doubt = (field: string, reason: string): void => {
    if (found.length < MOST) found.push({ field, reason });
  };
  findUnknownKeys(activity(), sent, 'activity', doubt);
  const { assets, buttons, name, party, secrets } = sent;
  if (typeof name === 'string' && name.length < LEAST_NAME) {
    doubt('activity.name', `must have at least ${LEAST_NAME} characters`);
  }
  if (isObject(party)) {
    doubtSize(party['size'], doubt);
    if (isObject(secrets)) doubtSecrets(secrets, party['id'], doubt);
  }
  const links: [string, unknown][] = ['state_url', 'details_url'].map((key) => [key, sent[key]]);
  if (isObject(assets)) {
    links.push(...['large_url', 'small_url'].map((key): [string, unknown] => [`assets.${key}`, assets[key]]));
    for (const key of ['large_image', 'small_image', 'invite_cover_image']) {
      doubtImage(`activity.assets.${key}`, assets[key], doubt);
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
      doubt(`activity.${key}`, 'must be an address that begins with http:// or https://');
    }
  }
  return found;
}

type Tell = (field: string, reason: string) => void;

function findUnknownKeys(schema: z.core.$ZodType, value: unknown, at: string, doubt: Tell): void {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable') {
    findUnknownKeys(def.innerType, value, at, doubt);
  } else if (def.type === 'array' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      findUnknownKeys(def.element, item, `${at}[${index}]`, doubt);
    }
  } else if (def.type === 'object' && isObject(value)) {
    const known = Object.keys(def.shape);
    let unknown = 0;
    for (const key in value) {
      const inner = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
      if (inner !== undefined) findUnknownKeys(inner, value[key], `${at}.${key}`, doubt);
      // Finding the nearest key takes time, and further warnings would be dropped.
      else if (unknown++ < MOST) doubt(`${at}${keyInPath(key)}`, unknownKey(key, known));
    }
  }
}

function keyInPath(key: string): string {
  return /^\w{1,40}$/.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, 40))}]`;
}

function doubtSize(size: unknown, doubt: Tell): void {
  if (!Array.isArray(size)) return;
  const [current, most] = size as readonly number[];
  if (current === undefined || most === undefined) return;
  if (!Number.isInteger(current) || !Number.isInteger(most)) {
    doubt('activity.party.size', 'must be two whole numbers: how many are in it, and how many it holds');
  } else if (current > most) {
    doubt('activity.party.size', `${current} cannot be in a party that holds ${most}: write [in it, holds]`);
  }
}

function doubtSecrets(secrets: JsonObject, partyId: unknown, doubt: Tell): void {
  if (typeof partyId !== 'string') return;
  for (const name of ['match', 'join', 'spectate']) {
    const secret = secrets[name];
    if (typeof secret === 'string' && secret.includes(partyId)) {
      doubt(`activity.secrets.${name}`, 'should not contain the party id, which everyone sees');
    }
  }
}

function doubtImage(field: string, image: unknown, doubt: Tell): void {
  if (typeof image !== 'string') return;
  if (image.length > MOST_IMAGE) doubt(field, `must have at most ${MOST_IMAGE} characters`);
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(image) && !isWebAddress(image)) {
    doubt(field, 'must be the key of an asset, or an address that begins with http:// or https://');
  }
}

function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address);
}
