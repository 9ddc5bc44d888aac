import { LocalError } from '../src/base/local-error.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for XML 1.0. Throws `LocalError` FOOTBRIDGE_SERVICE for characters that XML cannot represent. */
export function xmlText(text: string): string {
  if (/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(text)) {
    throw new LocalError(
      'FOOTBRIDGE_SERVICE',
      `${JSON.stringify(text).slice(0, 200)} holds characters that no service file can hold. Use another path or value.`,
    );
  }
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
