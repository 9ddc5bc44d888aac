/** Languages of command translations, as the public documentation lists them. */
export const LOCALES: readonly string[] = [
  'id',
  'da',
  'de',
  'en-GB',
  'en-US',
  'es-ES',
  'es-419',
  'fr',
  'hr',
  'it',
  'lt',
  'hu',
  'nl',
  'no',
  'pl',
  'pt-BR',
  'ro',
  'fi',
  'sv-SE',
  'vi',
  'tr',
  'cs',
  'el',
  'bg',
  'ru',
  'uk',
  'hi',
  'th',
  'zh-CN',
  'ja',
  'zh-TW',
  'ko',
  'ar',
  'he',
];

/** Translations of a text, by language tag. */
export type Localizations = Readonly<Record<string, string>>;

/** Fallback language for missing translations. */
const FALLBACKS: Readonly<Record<string, string>> = { 'en-US': 'en-GB', 'en-GB': 'en-US', 'es-419': 'es-ES' };

/** Translation of a text into one language; undefined where there is none. */
export function inLocale(texts: Localizations | null | undefined, locale: string): string | undefined {
  if (texts == null) return undefined;
  for (const one of [locale, FALLBACKS[locale]]) {
    if (one !== undefined && Object.hasOwn(texts, one)) return texts[one];
  }
  return undefined;
}

/** Language of a request: `X-Discord-Locale`, or else the first known tag of `Accept-Language`. */
export function localeOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): string | undefined {
  const own = headers['x-discord-locale'];
  if (typeof own === 'string' && LOCALES.includes(own)) return own;
  const accepted = headers['accept-language'];
  if (typeof accepted !== 'string' || accepted.length > 1024) return undefined;
  const tags = accepted.split(',').map((part) => part.split(';')[0]?.trim() ?? '');
  return tags.find((tag) => LOCALES.includes(tag));
}
