/** A refused request of the control API: the HTTP status, and the answer's `{code, message}`. */
export class ControlError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ControlError';
    this.status = status;
    this.code = code;
  }
}
