import { LocalError } from '../../base/local-error.ts';
import { type Client, connected, createClientOver } from '../../client/client.ts';
import { RpcError } from '../../client/errors.ts';
import { ApiError, addressOf } from '../../client/http.ts';
import { requestCode } from '../../client/request-code.ts';
import { exchangeCode, type OAuth2Options, refreshTokens } from '../../client/token-requests.ts';
import type { TokenSet } from '../../client/token-set.ts';
import type { Transport } from '../../client/transport.ts';
import { ErrorCode } from '../../protocol/error-code.ts';
import { noVoice, type VoicePlace } from './refusal.ts';
import type { OwnToken, TokenFile } from './token-file.ts';

/** Scopes of the bridge's own app. `rpc` selects channels and presses push to talk. */
const SCOPES = ['rpc', 'rpc.voice.read', 'rpc.voice.write'] as const;

/** Time in which a client with voice commands answers any of them (ms); a client without them may stay silent. */
const PROBE_MS = 3000;

/** Rest of a token's life at which it is renewed, as a share of the whole. */
const RENEWAL_SHARE = 0.25;

/** What a session of the bridge's own app needs. */
export interface OwnSessionOptions {
  readonly transport: Transport;
  readonly place: VoicePlace;
  /** Base address of the token endpoint, where the core or a setting names one. */
  readonly api: string | undefined;
  readonly tokens: TokenFile;
  /** Wall clock (ms since the Unix epoch). */
  readonly now: () => number;
  /** Ends the session, also while it opens. */
  readonly signal: AbortSignal;
  /** Called before the user is asked for consent. Throws to prevent it. */
  readonly asking: () => void;
}

/**
 * Opens an authenticated session: with the stored token, with a renewed one, or with the user's consent. Rejects with the
 * errors of the client library.
 */
export async function openOwnSession(options: OwnSessionOptions): Promise<Client> {
  const { transport, place } = options;
  const client = await connected(
    createClientOver(() => transport, { clientId: place.clientId, reconnect: false, signal: options.signal }),
  );
  try {
    await probe(client, place);
    await authenticate(client, options);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Whether the token should be renewed before its next use. */
export function isDue({ issuedAt, expiresAt }: OwnToken, now: number): boolean {
  return expiresAt - now < (expiresAt - issuedAt) * RENEWAL_SHARE;
}

/**
 * Sends a voice command before the authorization, which no client grants: a client that has the command refuses it for want
 * of a scope. Rejects for a client without the command, so that the user is not asked in vain.
 */
async function probe(client: Client, place: VoicePlace): Promise<void> {
  try {
    await client.request('GET_VOICE_SETTINGS', {}, { timeoutMs: PROBE_MS });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.code === ErrorCode.INVALID_COMMAND) throw noVoice(place, error.message);
    if (error.code === ErrorCode.SERVICE_UNAVAILABLE) throw error;
  }
}

async function authenticate(client: Client, options: OwnSessionOptions): Promise<void> {
  const { tokens, place, now, signal } = options;
  const loaded = tokens.load();
  const stored = loaded?.core === place.core && loaded.clientId === place.clientId ? loaded : undefined;
  const api = options.api ?? localApi(client.config?.api_endpoint);
  if (stored !== undefined && !isDue(stored, now()) && (await present(client, stored.accessToken))) return;
  const keep = async (set: TokenSet): Promise<boolean> => {
    const issuedAt = now();
    const { accessToken, refreshToken = null, expiresIn } = set;
    tokens.save({ ...place, accessToken, refreshToken, issuedAt, expiresAt: issuedAt + expiresIn * 1000 });
    return present(client, accessToken);
  };
  if (stored?.refreshToken != null && api !== undefined) {
    const renewed = await renew({ api, clientId: place.clientId, signal }, stored.refreshToken);
    if (renewed !== undefined && (await keep(renewed))) return;
  }
  options.asking();
  if (api === undefined) return clientToken(client, place);
  const { code, verifier } = await requestCode(client, { clientId: place.clientId, scopes: SCOPES });
  const set = await exchangeCode({ api, clientId: place.clientId, signal }, { code, verifier });
  if (!(await keep(set)))
    throw new RpcError('AUTHENTICATE', ErrorCode.INVALID_TOKEN, 'the new token is refused');
}

/** Renews the tokens; undefined after a refusal, when only the user can give new ones. */
async function renew(service: OAuth2Options, refreshToken: string): Promise<TokenSet | undefined> {
  try {
    return await refreshTokens(service, refreshToken);
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return undefined;
    throw error;
  }
}

/** Authenticates with a token; false for a token that the core refuses. */
async function present(client: Client, accessToken: string): Promise<boolean> {
  try {
    await client.request('AUTHENTICATE', { access_token: accessToken });
    return true;
  } catch (error) {
    const { INVALID_TOKEN, INVALID_CLIENT_ID } = ErrorCode;
    if (error instanceof RpcError && (error.code === INVALID_TOKEN || error.code === INVALID_CLIENT_ID))
      return false;
    throw error;
  }
}

/**
 * Lets the chat client obtain the token itself (protocol 5.3), where no token endpoint is known: a chat client that attaches
 * may grant all scopes so.
 */
async function clientToken(client: Client, place: VoicePlace): Promise<void> {
  const remedy = new LocalError(
    'FOOTBRIDGE_VOICE_APPLICATION',
    `The core "${place.core}" names no token endpoint. Set voice_api to its base address, such as http://127.0.0.1:6481/api of a ` +
      'Footbridge behind this one (footbridge help presence-and-voice says more).',
  );
  const answer = await client
    .request('AUTHENTICATE', { access_token: '' }, { timeoutMs: 0 })
    .catch((error: unknown) => {
      const { INVALID_COMMAND, SERVICE_UNAVAILABLE } = ErrorCode;
      const isPlain =
        !(error instanceof RpcError) || error.code === INVALID_COMMAND || error.code === SERVICE_UNAVAILABLE;
      throw isPlain ? error : remedy;
    });
  const scopes: readonly string[] = answer?.scopes ?? [];
  if (!scopes.includes('rpc')) throw remedy;
}

/** The address that READY announces, where it is on this machine: any server may announce any other one. */
function localApi(announced: string | undefined): string | undefined {
  if (announced === undefined) return undefined;
  const text = announced.startsWith('//') ? `http:${announced}` : announced;
  try {
    return addressOf(text, '').protocol === 'http:' ? text : undefined;
  } catch {
    return undefined;
  }
}
