/** A code of a local failure: stable, greppable, and mapped to an exit code by the command line. */
export type LocalErrorCode = `FOOTBRIDGE_${string}`;

/**
 * A failure on this machine that no peer ever sees: folders, sockets, locks, settings.
 * `message` states the problem, its location and the remedy, for a user who reads only that line.
 */
export class LocalError extends Error {
  readonly code: LocalErrorCode;

  constructor(code: LocalErrorCode, message: string, options?: { readonly cause?: unknown }) {
    // A cause of undefined would be printed as one.
    super(message, options?.cause === undefined ? undefined : options);
    this.name = 'LocalError';
    this.code = code;
  }
}

/**
 * Whether a thrown value carries one of our codes. Use this rather than `instanceof`: `endpoints.ts` must stay free of
 * imports, so its `EndpointError` has the same shape as `LocalError` but another class.
 */
export function isLocalError(error: unknown): error is Error & { readonly code: LocalErrorCode } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('FOOTBRIDGE_')
  );
}

/** The `code` of a failed system call (`ENOENT`, …), or undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
