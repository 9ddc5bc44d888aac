import type { RequestPeer } from '../../api/waiting-request.ts';

/** The arguments of AUTHORIZE. */
export interface AuthorizeOptions {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly codeChallenge?: string | undefined;
  /** Must be `S256`, which is also the default if there is a challenge. */
  readonly codeChallengeMethod?: string | undefined;
  readonly state?: string | undefined;
  /** OpenID Connect nonce; included in the id_token if `openid` is among the scopes. */
  readonly nonce?: string | undefined;
  /** Type of installation: 0 for a guild, 1 for the user. */
  readonly integrationType?: number | undefined;
  /** The guild to add a bot or commands to. */
  readonly guildId?: string | undefined;
  /** The channel to create a webhook in. */
  readonly webhookChannelId?: string | undefined;
  /** Permissions that the bot requests in the guild: a bit field, as a number or its digits. */
  readonly permissions?: string | number | undefined;
  /** `consent` (default) prompts unless the user once answered "always"; `none` accepts any remembered grant. */
  readonly prompt?: string | undefined;
  readonly redirectUri?: string | undefined;
  /** A token of `/oauth2/token/rpc`, which makes a prompt unnecessary. */
  readonly rpcToken?: string | undefined;
  readonly peer: RequestPeer;
  /** Aborts when the peer disconnects. */
  readonly signal: AbortSignal;
}
