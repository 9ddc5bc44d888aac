import { createHash, randomBytes } from 'node:crypto';
import type { Client } from './client.ts';
import { ApiError } from './http.ts';

/** Proof Key for Code Exchange (RFC 7636), method S256. */
export interface Pkce {
  /** Code verifier of 43 characters; it must not leave this process until the code is exchanged. */
  readonly verifier: string;
  /** Argument of AUTHORIZE. */
  readonly challenge: string;
}

/** Options of the prompt to the user. */
export interface CodeRequestOptions {
  /** The application's id. */
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** `none`: the user is not prompted again for scopes granted before. */
  readonly prompt?: 'consent' | 'none' | undefined;
  /** OpenID Connect nonce; the id_token contains it. */
  readonly nonce?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A new verifier from the system's random source, and its challenge. */
export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/**
 * Prompts the user, with PKCE, and resolves with the code. Rejects with RpcError 5000 when the user refuses, and with
 * ApiError for an invalid answer.
 */
export async function requestCode(
  client: Client,
  { clientId, scopes, prompt, nonce, signal }: CodeRequestOptions,
): Promise<{ readonly code: string; readonly verifier: string }> {
  const { verifier, challenge } = createPkce();
  const state = randomBytes(16).toString('base64url');
  const args = { client_id: clientId, scopes, prompt, nonce, state, code_challenge: challenge };
  const answer: { readonly code?: unknown; readonly state?: unknown } | null = await client.request(
    'AUTHORIZE',
    { ...args, response_type: 'code', code_challenge_method: 'S256', pid: process.pid },
    { signal },
  );
  const { code, state: returned = state } = answer ?? {};
  if (returned !== state) {
    throw new ApiError(0, 'invalid_state', 'The answer to AUTHORIZE carries a state that was not asked for');
  }
  if (typeof code !== 'string') throw new ApiError(0, '', 'The answer to AUTHORIZE holds no code');
  return { code, verifier };
}
