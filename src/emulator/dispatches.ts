import type { Dispatch } from './dispatch.ts';
import { gatewayDispatches } from './gateway/dispatches.ts';

/** Every event of the gateway. Of one transaction they are told in this order. */
export const dispatches: readonly Dispatch[] = [...gatewayDispatches];
