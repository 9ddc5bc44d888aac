import type { ClientCredentials } from '../../api/caller.ts';
import type { RequestPeer } from '../../api/waiting-request.ts';
import { consented } from './authorize.ts';
import { authenticateClient, checkMayAuthorize } from './client-auth.ts';
import type { OAuth2Context } from './context.ts';
import type { DeviceAnswer, DeviceAsk } from './device.ts';
import { OAuth2Error } from './error.ts';
import { checkNoWebhook } from './incoming.ts';
import { checkScopes } from './scopes.ts';

/** The device flow (RFC 8628), as far as it is not the token endpoint's. What a person types is asked as every other request is. */
export class DeviceFlow {
  readonly #context: OAuth2Context;

  constructor(context: OAuth2Context) {
    this.#context = context;
  }

  /** @throws OAuth2Error for a client or a scope that cannot be. */
  begin(credentials: ClientCredentials, { scopes }: { readonly scopes: readonly string[] }): DeviceAnswer {
    const { clientId } = credentials;
    const { known } = authenticateClient(this.#context.application(clientId), credentials);
    checkMayAuthorize(known);
    const checked = checkScopes(scopes, known.record);
    // Nobody could say which guild.
    if (checked.includes('bot')) {
      throw new OAuth2Error('invalid_scope', 'A device cannot ask for: bot.');
    }
    checkNoWebhook(checked, 'A device');
    return this.#context.devices.begin({ clientId, scopes: checked });
  }

  /** What the device with this code asks for; undefined when none waits with it. */
  waiting(userCode: string): DeviceAsk | undefined {
    return this.#context.devices.waiting(userCode);
  }

  /** Somebody types the code: the request waits for a person, as every other. Rejects with `OAuth2Error`. */
  async allow(userCode: string, peer: RequestPeer, signal: AbortSignal): Promise<void> {
    const ask = this.waiting(userCode);
    if (ask === undefined) throw new OAuth2Error('invalid_request', 'No device waits with this code.');
    const { userId, isNews } = await consented(this.#context, { ...ask, peer, signal });
    if (isNews) await this.#context.persist();
    // It may have run out while the person thought.
    if (!this.#context.devices.decide(userCode, { kind: 'granted', userId })) {
      throw new OAuth2Error('expired_token', 'The device no longer waits.');
    }
  }

  /** False when no device waits with this code. */
  deny(userCode: string): boolean {
    return this.#context.devices.decide(userCode, { kind: 'denied' });
  }
}
