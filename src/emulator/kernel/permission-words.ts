import { namesOf, type Permission } from './permission-bits.ts';

/** Those whose names do not read as words. */
const WORDS: { readonly [name in Permission]?: string } = {
  ADMINISTRATOR: 'everything (administrator)',
  SEND_TTS_MESSAGES: 'send text-to-speech messages',
  USE_VAD: 'use voice activity',
};

/** What some permissions let somebody do, in plain words, in the order of the bits. */
export function wordsOf(bits: bigint): string[] {
  return namesOf(bits).map((name) => WORDS[name] ?? name.toLowerCase().replaceAll('_', ' '));
}
