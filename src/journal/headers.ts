import { addressWithoutSecrets } from './addresses.ts';
import { HIDDEN, SCHEMES } from './secret-names.ts';
import { proseWithoutSecrets } from './without-secrets.ts';

/** Headers with credentials, of which only the scheme is shown. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization']);
/** Headers whose values are addresses. */
const ADDRESSES: ReadonlySet<string> = new Set(['content-location', 'location', 'origin', 'referer']);
/** Headers whose values are shown. Of any other header, only the name is shown. */
const VISIBLE_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'access-control-request-headers',
  'access-control-request-method',
  'allow',
  'cache-control',
  'connection',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'etag',
  'host',
  'if-modified-since',
  'if-none-match',
  'last-modified',
  'link',
  'pragma',
  'priority',
  'refresh',
  'retry-after',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'server',
  'transfer-encoding',
  'user-agent',
  'vary',
  'via',
  'www-authenticate',
  'x-audit-log-reason',
  'x-content-type-options',
  'x-discord-locale',
  'x-ratelimit-bucket',
  'x-ratelimit-global',
  'x-ratelimit-limit',
  'x-ratelimit-precision',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-reset-after',
  'x-ratelimit-scope',
]);
/** Form of header names. A name of another form could itself be a secret. */
const PLAIN_NAME = /^[a-z][a-z_-]{0,63}$/;

/** The value of a header if it is known not to be secret. Of credentials, only the scheme is shown. */
export function headerWithoutSecrets(name: string, value: string): string {
  const lower = name.toLowerCase();
  if (CREDENTIALS.has(lower)) {
    const [scheme = ''] = value.split(' ', 1);
    return scheme !== value && SCHEMES.has(scheme.toLowerCase()) ? `${scheme} ${HIDDEN}` : HIDDEN;
  }
  if (ADDRESSES.has(lower)) return addressWithoutSecrets(value);
  return VISIBLE_HEADERS.has(lower) ? proseWithoutSecrets(value) : HIDDEN;
}

/** The headers of a message without secrets, by their names in lower case. */
export function headersWithoutSecrets(
  headers: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  const visible: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const lower = name.toLowerCase();
    const key = PLAIN_NAME.test(lower) ? lower : `(name of ${lower.length} characters)`;
    visible[key] = headerWithoutSecrets(lower, String(value));
  }
  return visible;
}
