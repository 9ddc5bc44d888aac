import type * as z from 'zod';
import type { KnownApplication } from '../../../applications/applications.ts';
import type { AuthorizeOptions } from '../authorize-options.ts';
import { OAuth2Error } from '../error.ts';
import { isRegistered } from '../redirect.ts';
import { scopesIn } from '../scopes.ts';
import type { webQuery } from './web-query.ts';

/** Query of the authorization page. */
export type WebQuery = z.output<typeof webQuery>;

/** A browser's request whose application and redirect address are valid. */
export interface WebRequest {
  readonly known: KnownApplication;
  /** Type of the reply; `none` adds a bot without a reply to the application. */
  readonly responseType: 'code' | 'token' | 'none';
  /** Address of the reply; undefined where no reply is sent. */
  readonly redirectUri: string | undefined;
  /** Whether the user may choose only the guild of the request. */
  readonly isGuildFixed: boolean;
  readonly options: Omit<AuthorizeOptions, 'peer' | 'signal'>;
  /** Transport class in the grant's key: it names the target of the reply. */
  readonly transport: string;
  /** Description of the requester for the user. */
  readonly program: string;
}

/**
 * Parses the query of a browser; `bringer` describes the requester.
 * @throws OAuth2Error that is displayed on the page, and never redirected, because the redirect address may be invalid.
 */
export function readWebRequest(
  query: WebQuery,
  application: (clientId: string) => KnownApplication | undefined,
  bringer: string,
): WebRequest {
  const known = application(query.client_id);
  if (known === undefined) throw new OAuth2Error('unauthorized_client', 'Unknown application.');
  const scopes = scopesIn(query.scope);
  const end = endOf(query, known, scopes);
  const goal = end.redirectUri === undefined ? undefined : originOf(end.redirectUri);
  return {
    ...end,
    known,
    isGuildFixed: isGuildFixed(query),
    transport: goal === undefined ? 'web' : `web ${goal}`,
    program: goal === undefined ? bringer : `${bringer} that leads to ${goal}`,
    options: {
      clientId: query.client_id,
      scopes,
      codeChallenge: query.code_challenge,
      codeChallengeMethod: query.code_challenge_method,
      state: query.state,
      nonce: query.nonce,
      integrationType: numberOf(query.integration_type),
      prompt: query.prompt,
      redirectUri: end.redirectUri,
      guildId: query.guild_id,
      permissions: query.permissions,
      webhookChannelId: query.channel_id,
    },
  };
}

/** Advice for developers who use an unregistered redirect address. */
const WRITE_IT_DOWN =
  'It has to stand in redirect_uris of the application, letter by letter: in the fixture, or by “footbridge emulator apply”. ' +
  'One that begins with http: is of this machine.';

/** Type and address of the reply. @throws OAuth2Error for an invalid address. */
function endOf(
  { response_type: type, redirect_uri: sentRedirect }: WebQuery,
  known: KnownApplication,
  scopes: readonly string[],
): Pick<WebRequest, 'responseType' | 'redirectUri'> {
  const isInstall =
    scopes.length > 0 && scopes.every((one) => one === 'bot' || one === 'applications.commands');
  if (isInstall && type === undefined && sentRedirect === undefined) {
    return { responseType: 'none', redirectUri: undefined };
  }
  const redirectUri = sentRedirect ?? onlyOne(known);
  if (redirectUri === undefined) {
    throw new OAuth2Error('invalid_request', 'Missing "redirect_uri" in request.', WRITE_IT_DOWN);
  }
  if (!isRegistered(known, redirectUri)) {
    throw new OAuth2Error('invalid_request', 'Invalid "redirect_uri" in request.', WRITE_IT_DOWN);
  }
  const responseType = type ?? 'code';
  if (responseType !== 'code' && responseType !== 'token') {
    throw new OAuth2Error('invalid_request', 'Invalid "response_type" in request.');
  }
  return { responseType, redirectUri };
}

/** Whether the request fixes its guild. */
export function isGuildFixed({ guild_id, disable_guild_select: text = '' }: WebQuery): boolean {
  return guild_id !== undefined && ['true', 'True', '1'].includes(text);
}

/** Additional origins to which the page's form may lead. */
export function formTargets({ redirectUri }: WebRequest): string[] {
  return redirectUri === undefined ? [] : [originOf(redirectUri)];
}

/** NaN for an invalid number. The number is refused later, at a point where the application can receive the error. */
function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
}

function onlyOne({ record }: KnownApplication): string | undefined {
  const [first, second] = record.redirect_uris;
  return second === undefined ? first : undefined;
}

/** The origin of a URL, or the scheme of a URL without an origin. */
function originOf(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}

/** The location that brings the reply to the application: in the query, or in the fragment for the implicit grant. */
export function answerAddress(
  { redirectUri, responseType, options }: WebRequest,
  answer: Readonly<Record<string, string | number>>,
): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) fields.set(name, String(value));
  if (redirectUri === undefined) {
    return Object.hasOwn(answer, 'error') ? `/oauth2/authorized?${fields.toString()}` : '/oauth2/authorized';
  }
  const address = new URL(redirectUri);
  const { state } = options;
  if (state !== undefined) fields.set('state', state);
  if (responseType === 'token') address.hash = fields.toString();
  else for (const [name, value] of fields) address.searchParams.set(name, value);
  return address.href;
}
