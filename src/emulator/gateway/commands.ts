import type { Platform } from '../platform.ts';
import type { Payload } from './payload.ts';
import type { Session } from './session.ts';

/** Does what a session asks for. @throws GatewayFault */
export function obey(_session: Session, _payload: Payload, _serving: { readonly platform: Platform }): void {}
