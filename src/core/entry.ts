/** API for authors of a core: `footbridge/core`. */

export { ErrorCode } from '../protocol/error-code.ts';
export { RpcError } from '../protocol/errors.ts';
export { CloseError } from '../wire/close-error.ts';
export { CloseCode } from '../wire/codes.ts';
export { contract } from './contract.ts';
export {
  type AdminCaller,
  type AdminOperation,
  type ArgsSchema,
  type ClientCore,
  type CoreCall,
  type CoreHandlers,
  type CoreHost,
  type CoreSession,
  type CoreStarted,
  type CreateCore,
  defineOperation,
  type EventTarget,
  type LogFields,
  type OperationText,
  type Peer,
  type Ready,
  type RelayedRequest,
  type Target,
  type TextTaker,
} from './core.ts';
