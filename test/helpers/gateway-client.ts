import { onTestFinished } from 'vitest';
import { GatewayConnection } from './gateway-connection.ts';

/** A connection to the gateway that ends with its test. */
export class GatewayClient extends GatewayConnection {
  constructor(...args: ConstructorParameters<typeof GatewayConnection>) {
    super(...args);
    onTestFinished(() => this.cut());
  }
}

/** The token of a platform's bot, as libraries send it. */
export function tokenOf(platform: { readonly bot: () => { readonly authorization: string } }): string {
  return platform.bot().authorization.slice('Bot '.length);
}
