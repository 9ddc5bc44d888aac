import { LocalError } from '../../base/local-error.ts';

/** Why something is not sent again, by the end of its code. */
export type ResendReason =
  /** The journal has no such entry (any longer). */
  | 'GONE'
  /** Nothing of this kind is sent again. */
  | 'KIND'
  /** It needs the app's own session, or a person at a page. */
  | 'SESSION'
  /** It needs a token or a secret of its sender. */
  | 'TOKEN'
  /** The journal does not have all of it. */
  | 'CUT'
  /** An edited text has a placeholder of the journal in it. */
  | 'HIDDEN'
  /** The application is not known. */
  | 'APPLICATION'
  /** It came through an endpoint with rights of its own. */
  | 'ENDPOINT'
  /** Arguments that do not fit the entry. */
  | 'EDIT'
  /** Too many are under way. */
  | 'BUSY'
  /** The bridge refused the new session. */
  | 'REFUSED';

/** A refusal to send something again. */
export function refusal(reason: ResendReason, message: string, cause?: unknown): LocalError {
  return new LocalError(`FOOTBRIDGE_RESEND_${reason}`, message, { cause });
}
