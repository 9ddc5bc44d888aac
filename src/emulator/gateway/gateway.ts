import type { Dispatch, Dispatched } from '../dispatch.ts';
import type { Platform } from '../platform.ts';
import type { Hub, Recipient } from './hub.ts';

/** The gateway, as operations of the platform see it. What it is made of is loaded with the first connection. */
export class Gateway {
  readonly #platform: () => Platform;
  #hub: Hub | undefined;

  /** `platform` is asked once the first connection comes. */
  constructor(platform: () => Platform) {
    this.#platform = platform;
  }

  /** Tells those who may know of what is no change of the state, such as somebody typing. */
  tell(dispatch: Dispatch, dispatched: Dispatched): void {
    this.#hub?.tell(dispatch, dispatched);
  }

  /** Lets somebody listen without a socket; the returned function ends it. */
  async listen(recipient: Recipient): Promise<() => void> {
    const { Hub } = await import('./hub.ts');
    this.#hub ??= new Hub(this.#platform());
    return this.#hub.add(recipient);
  }
}
