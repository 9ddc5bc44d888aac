import type { RequestPeer } from '../../api/waiting-request.ts';

/** What an app asks for with AUTHORIZE. */
export interface AuthorizeOptions {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly codeChallenge?: string | undefined;
  /** Only `S256`; absent next to a challenge means `S256`. */
  readonly codeChallengeMethod?: string | undefined;
  readonly state?: string | undefined;
  /** OpenID Connect nonce; comes back in the id_token, and only when `openid` is among the scopes. */
  readonly nonce?: string | undefined;
  /** 0 guild install, 1 user install. */
  readonly integrationType?: number | undefined;
  /** The guild that a bot or commands are added to. */
  readonly guildId?: string | undefined;
  /** The channel that a webhook is made in. */
  readonly webhookChannelId?: string | undefined;
  /** What the bot wants to be allowed there: a bit field, as a number or its digits. */
  readonly permissions?: string | number | undefined;
  /** `consent` (default) asks unless the person once answered "always"; `none` reuses any remembered grant. */
  readonly prompt?: string | undefined;
  readonly redirectUri?: string | undefined;
  /** A token of `/oauth2/token/rpc`, with which nobody is asked. */
  readonly rpcToken?: string | undefined;
  readonly peer: RequestPeer;
  /** Aborts when the peer leaves. */
  readonly signal: AbortSignal;
}
