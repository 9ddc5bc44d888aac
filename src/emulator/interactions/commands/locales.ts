/** The languages that a command may be called something else in, as the public document lists them. */
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

/** A text in other languages, by their tag. */
export type Localizations = Readonly<Record<string, string>>;

/** Where else a text is looked for when the language asked for has none. */
const FALLBACKS: Readonly<Record<string, string>> = { 'en-US': 'en-GB', 'en-GB': 'en-US', 'es-419': 'es-ES' };

/** A text in one language; undefined where it has no other than its own. */
export function inLocale(texts: Localizations | null | undefined, locale: string): string | undefined {
  if (texts == null) return undefined;
  for (const one of [locale, FALLBACKS[locale]]) {
    if (one !== undefined && Object.hasOwn(texts, one)) return texts[one];
  }
  return undefined;
}

/** What a request says of its language: `X-Discord-Locale`, then the first of `Accept-Language` that there is. */
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
