import { LocalError } from '../platform/local-error.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for XML 1.0. Throws `LocalError` FOOTBRIDGE_SERVICE for what it has no way to write. */
export function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold
  if (/[\u0000-\u001f\u007f\ufffe\uffff\p{Cs}]/u.test(text)) {
    throw new LocalError(
      'FOOTBRIDGE_SERVICE',
      `${JSON.stringify(text).slice(0, 200)} holds characters that no service file can hold. Use another path or value.`,
    );
  }
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
