import { expect, onTestFinished } from 'vitest';
import type { StartEmulatorOptions, TestEmulator } from '../../src/testing/testing.ts';
import { watchPort } from './answers.ts';

export { listening } from '../helpers/http-listener.ts';

/** The built library, as a user has it. */
export const { startEmulator } = (await import(
  new URL('../../dist/testing.js', import.meta.url).href
)) as typeof import('../../src/testing/testing.ts');

/** Of the built-in fixture: anybody may use it without a secret. */
export const APP = '300000000000000001';
/** The application of {@link confidential}. */
export const OTHER_APP = '300000000000000002';
export const SECRET = 'p@ss word+:%';
/** Registered for the first application. */
export const REDIRECT = 'http://localhost:3000/callback';

/**
 * An emulator for one story; it ends with it. Strict mode finds nothing in what other people's libraries send, but for
 * refusals, of which stories ask many on purpose; `emulator.allow` names what else a story does on purpose.
 */
export async function story(options?: StartEmulatorOptions): Promise<TestEmulator> {
  const emulator = await startEmulator({ strict: true, ...options });
  onTestFinished(async () => {
    const found = await emulator.violations().catch(() => []);
    await emulator.close();
    expect(found.filter(({ rule }) => rule !== 'unhandled-refusal')).toEqual([]);
  });
  watchPort(Number(new URL(emulator.api).port));
  return emulator;
}

/** Gives an application a secret and redirect addresses. */
export async function confidential(
  emulator: TestEmulator,
  { id = OTHER_APP, ...more }: { readonly id?: string; readonly [key: string]: unknown } = {},
): Promise<void> {
  const application = { id, secret: SECRET, redirect_uris: [REDIRECT], ...more };
  await emulator.operations.call('emulator.apply', { patch: { applications: [application] } });
}

/** The token of a bot, as it is made where none is written down. */
export function botToken(id: string = APP): string {
  return `${Buffer.from(id).toString('base64url')}.emulator.bot`;
}

/** Who presses Allow for an app, by the twin of the page: the policy decides. Where the browser is led. */
export async function allowed(emulator: TestEmulator, address: URL): Promise<URL> {
  const twin = new URL(`${emulator.api}/oauth2/authorize${address.search}`);
  const answer = await fetch(twin, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ authorize: true }),
  });
  const { url } = (await answer.json()) as { readonly url: string };
  return new URL(url);
}

/** A code of the first application, as somebody has it who allowed everything. */
export async function codeOf(
  emulator: TestEmulator,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  const all = new URLSearchParams({ client_id: APP, redirect_uri: REDIRECT, ...query });
  const back = await allowed(emulator, new URL(`${emulator.api}/oauth2/authorize?${all.toString()}`));
  return back.searchParams.get('code') ?? '';
}

/** Posts a form to a route of OAuth 2.0. */
export function post(
  { api }: TestEmulator,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<Response> {
  return fetch(`${api}${path}`, { method: 'POST', body: new URLSearchParams(form) });
}

/** What the token endpoint answers, as far as stories need it. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

/** The authorization code grant of the first application from end to end. */
export async function tokensOf(
  emulator: TestEmulator,
  query: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const form = {
    grant_type: 'authorization_code',
    code: await codeOf(emulator, query),
    redirect_uri: REDIRECT,
    client_id: APP,
    client_secret: 'any',
  };
  return (await (await post(emulator, '/oauth2/token', form)).json()) as Tokens;
}
