import { namesOf, type Permission } from './permission-bits.ts';

/** Descriptions of permissions whose names do not read as plain text. */
const WORDS: { readonly [name in Permission]?: string } = {
  ADMINISTRATOR: 'everything (administrator)',
  SEND_TTS_MESSAGES: 'send text-to-speech messages',
  USE_VAD: 'use voice activity',
};

/** Plain descriptions of the permissions in a bit set, in the order of the bits. */
export function wordsOf(bits: bigint): string[] {
  return namesOf(bits).map((name) => WORDS[name] ?? name.toLowerCase().replaceAll('_', ' '));
}
