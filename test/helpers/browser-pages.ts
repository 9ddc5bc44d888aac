import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { APP, type TestPlatform } from './platform.ts';

/** A redirect address of the built-in application. */
export const REDIRECT = 'http://localhost:3000/callback';
/** PKCE. */
export const VERIFIER = 'v'.repeat(43);
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** Consent is asked for; a page can be answered at once. */
export const asking = { consent: { policy: 'ask' as const, readingMs: 0 } };

/** Path of the authorization page, with a query. */
export function address(more: Readonly<Record<string, string>> = {}): string {
  const query = { client_id: APP, redirect_uri: REDIRECT, scope: 'identify rpc', state: 's 1', ...more };
  return `/oauth2/authorize?${new URLSearchParams(query).toString()}`;
}

/** What a browser sends when a person goes somewhere. */
const NAVIGATES = {
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'cross-site',
};

/** Origin of the platform. */
export function site({ url }: TestPlatform): string {
  return new URL(url).origin;
}

/** Goes to a page, as a browser does. */
export function open(platform: TestPlatform, path: string, headers: Readonly<Record<string, string>> = {}) {
  return platform.call(`GET ${site(platform)}${path}`, { headers: { ...NAVIGATES, ...headers } });
}

/** Sends a form of a page, as a browser does. */
export function press(
  platform: TestPlatform,
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const origin = site(platform);
  return platform.call(`POST ${origin}${path}`, { headers: { ...NAVIGATES, origin, ...headers }, form });
}

/** The single-use token of the form on a page. */
export function tokenIn(page: string): string {
  return /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

/** The cookie of a browser that was signed in. */
export async function signIn(platform: TestPlatform): Promise<{ readonly cookie: string }> {
  const given = new URL(platform.emulator.signInAddress() ?? '');
  const { headers, status } = await open(platform, `${given.pathname}${given.search}`);
  expect(status).toBe(200);
  const cookies = headers.get('set-cookie') ?? '';
  // Other ports of this host, such as the application's own, have no such paths.
  expect([...cookies.matchAll(/Path=([^;]+)/g)].map(([, path]) => path)).toEqual([
    '/oauth2/authorize',
    '/activate',
  ]);
  return { cookie: cookies.split(';')[0] ?? '' };
}

/** Where an answer leads. */
export function located(answer: { readonly headers: Headers }): URL {
  return new URL(answer.headers.get('location') ?? '', 'http://nowhere.invalid');
}
