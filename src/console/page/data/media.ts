/** Paths of files that the emulator may store. */
const STORED = /^(?:https?:\/\/[^/]+)?\/(?:attachments|emojis|stickers|avatars)\//;

/**
 * Address at the console of a file that a message names; undefined where the emulator stores none such. The signature of
 * the URL is left out: it differs each time, and a picture would be loaded anew with each change of its channel.
 */
export function mediaAddress(url: string): string | undefined {
  return STORED.test(url) ? `/media?address=${encodeURIComponent(url.replace(/\?.*$/s, ''))}` : undefined;
}
