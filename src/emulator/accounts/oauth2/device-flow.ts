import type { ClientCredentials } from '../../api/caller.ts';
import type { RequestPeer } from '../../api/waiting-request.ts';
import { consented } from './authorize.ts';
import { authenticateClient, checkMayAuthorize } from './client-auth.ts';
import type { OAuth2Context } from './context.ts';
import type { DeviceAnswer, DeviceRequest } from './device.ts';
import { OAuth2Error } from './error.ts';
import { checkNoWebhook } from './incoming.ts';
import { checkScopes } from './scopes.ts';

/**
 * The device flow (RFC 8628) without its token endpoint. When the user types a device's code, an ordinary consent
 * request follows.
 */
export class DeviceFlow {
  readonly #context: OAuth2Context;

  constructor(context: OAuth2Context) {
    this.#context = context;
  }

  /** Begins a flow. @throws OAuth2Error for an invalid client or scope. */
  begin(credentials: ClientCredentials, { scopes }: { readonly scopes: readonly string[] }): DeviceAnswer {
    const { clientId } = credentials;
    const { known } = authenticateClient(this.#context.application(clientId), credentials);
    checkMayAuthorize(known);
    const checked = checkScopes(scopes, known.record);
    // The scope `bot` needs a guild, which a device cannot name.
    if (checked.includes('bot')) throw new OAuth2Error('invalid_scope', 'A device cannot ask for: bot.');
    checkNoWebhook(checked, 'A device');
    return this.#context.devices.begin({ clientId, scopes: checked });
  }

  /** The request of the device with this code; undefined when none is pending. */
  waiting(userCode: string): DeviceRequest | undefined {
    return this.#context.devices.waiting(userCode);
  }

  /**
   * Presents the request of a typed code to the user, like every other request. Rejects with `OAuth2Error` unless the
   * user allows it.
   */
  async allow(userCode: string, peer: RequestPeer, signal: AbortSignal): Promise<void> {
    const request = this.waiting(userCode);
    if (request === undefined) throw new OAuth2Error('invalid_request', 'No device waits with this code.');
    const { userId, save } = await consented(this.#context, { ...request, peer, signal });
    await save();
    // The code may have expired while the request waited.
    if (!this.#context.devices.decide(userCode, { kind: 'granted', userId })) {
      throw new OAuth2Error('expired_token', 'The device no longer waits.');
    }
  }

  /** Denies the device with this code; false when none is pending. */
  deny(userCode: string): boolean {
    return this.#context.devices.decide(userCode, { kind: 'denied' });
  }
}
