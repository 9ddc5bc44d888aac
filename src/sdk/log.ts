import { formsOf } from '../client/http.ts';
import { callBack } from './call-back.ts';
import { LoggingSeverity } from './enums.ts';

declare const __FOOTBRIDGE_RELEASE__: boolean;

/** Gets a line without the name of its severity, and the severity. */
export type LogCallback = (message: string, severity: LoggingSeverity) => void;

/** Limit of secrets besides the current token; the oldest are evicted. */
const MAX_SECRETS = 256;

/** Log lines for the game's callbacks. No line contains a token, at any severity. */
export class Log {
  readonly #callbacks: { readonly callback: LogCallback; readonly minSeverity: LoggingSeverity }[] = [];
  readonly #minSeverity: LoggingSeverity;
  #secrets: string[] = [];
  /** The current token, which later secrets never evict. */
  #inUse: string | undefined;

  /** @param release whether this is a release build, which logs warnings and errors only */
  constructor(release = typeof __FOOTBRIDGE_RELEASE__ === 'boolean' && __FOOTBRIDGE_RELEASE__) {
    this.#minSeverity = release ? LoggingSeverity.Warning : LoggingSeverity.Verbose;
  }

  add(callback: LogCallback, minSeverity: LoggingSeverity): void {
    this.#callbacks.push({ callback, minSeverity });
  }

  /** Like `hide`, for the current token; a previous token stays hidden as other secrets do. */
  use(token: string): void {
    this.hide(this.#inUse);
    this.#inUse = token;
  }

  /** Removes these values from all later lines and results. */
  hide(...secrets: readonly (string | undefined)[]): void {
    this.#secrets = [...new Set([...secrets.flatMap(written), ...this.#secrets])].slice(0, MAX_SECRETS);
  }

  /** The text without hidden values, and without any text after the word Bearer. */
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

/** A secret in the forms in which a service may repeat it: plain and form-encoded. Short texts are not secrets. */
function written(secret: string | undefined): readonly string[] {
  return secret !== undefined && secret.length > 7 ? formsOf(secret) : [];
}
