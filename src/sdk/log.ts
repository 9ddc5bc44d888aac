import { formsOf } from '../client/http.ts';
import { callBack } from './call-back.ts';
import { LoggingSeverity } from './enums.ts';

declare const __FOOTBRIDGE_RELEASE__: boolean;

/** Receives a log line, which does not name its severity, and the severity. */
export type LogCallback = (message: string, severity: LoggingSeverity) => void;

/** Maximum number of stored secrets in addition to the current token; the oldest are evicted. */
const MAX_SECRETS = 256;

/** Log lines for the game's callbacks. No line of any severity contains a token. */
export class Log {
  readonly #callbacks: { readonly callback: LogCallback; readonly minSeverity: LoggingSeverity }[] = [];
  readonly #minSeverity: LoggingSeverity;
  #secrets: string[] = [];
  /** The current token; unlike the other secrets it is never evicted. */
  #inUse: string | undefined;

  /** @param release whether this is a release build, which logs warnings and errors only */
  constructor(release = typeof __FOOTBRIDGE_RELEASE__ === 'boolean' && __FOOTBRIDGE_RELEASE__) {
    this.#minSeverity = release ? LoggingSeverity.Warning : LoggingSeverity.Verbose;
  }

  add(callback: LogCallback, minSeverity: LoggingSeverity): void {
    this.#callbacks.push({ callback, minSeverity });
  }

  /** Hides the current token like `hide`, without eviction; the previous token becomes one of the other secrets. */
  use(token: string): void {
    this.hide(this.#inUse);
    this.#inUse = token;
  }

  /** Hides these values in all later lines and results. */
  hide(...secrets: readonly (string | undefined)[]): void {
    this.#secrets = [...new Set([...secrets.flatMap(written), ...this.#secrets])].slice(0, MAX_SECRETS);
  }

  /** Replaces stored secrets in a text, and any token after the word `Bearer`. */
  redact(text: string): string {
    const secrets = [...written(this.#inUse), ...this.#secrets];
    const known = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
    return known.replace(/\b(Bearer\s+)[\w.~+/=-]{8,}/gi, '$1[hidden]');
  }

  write(severity: LoggingSeverity, message: string): void {
    if (severity < this.#minSeverity) return;
    const line = this.redact(message);
    for (const { callback, minSeverity } of [...this.#callbacks]) {
      if (severity >= minSeverity && minSeverity !== LoggingSeverity.None)
        callBack('AddLogCallback', () => callback(line, severity));
    }
  }
}

/**
 * Returns the forms in which a service may repeat a secret: plain and form-encoded. A text of at most 7 characters is
 * no secret.
 */
function written(secret: string | undefined): readonly string[] {
  return secret !== undefined && secret.length > 7 ? formsOf(secret) : [];
}
