import { namesOf, type Permission } from './permission-bits.ts';

/** Descriptions of permissions whose names are not plain text when written in lower case. */
const PERMISSION_LABELS: { readonly [name in Permission]?: string } = {
  ADMINISTRATOR: 'everything (administrator)',
  SEND_TTS_MESSAGES: 'send text-to-speech messages',
  USE_VAD: 'use voice activity',
};

/** Plain descriptions of the permissions in a bit set, in the order of the bits. */
export function describePermissions(bits: bigint): string[] {
  return namesOf(bits).map((name) => PERMISSION_LABELS[name] ?? name.toLowerCase().replaceAll('_', ' '));
}
