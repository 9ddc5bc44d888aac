import { formsOf } from '../client/http.ts';
import { callBack } from './call-back.ts';
import { LoggingSeverity } from './enums.ts';

declare const __FOOTBRIDGE_RELEASE__: boolean;

/** Gets a line without its severity's name, and the severity. */
export type LogCallback = (message: string, severity: LoggingSeverity) => void;

/** Texts besides the token in use; the oldest make room. */
const SECRETS_KEPT = 256;

/** Log lines for whoever asked for them. No line holds a token, whatever its severity. */
export class Log {
  readonly #callbacks: { readonly callback: LogCallback; readonly least: LoggingSeverity }[] = [];
  readonly #least: LoggingSeverity;
  #secrets: string[] = [];
  /** The token in use, which no number of later secrets displaces. */
  #inUse: string | undefined;

  /** @param release whether this is a release build, which tells warnings and errors only */
  constructor(release = typeof __FOOTBRIDGE_RELEASE__ === 'boolean' && __FOOTBRIDGE_RELEASE__) {
    this.#least = release ? LoggingSeverity.Warning : LoggingSeverity.Verbose;
  }

  add(callback: LogCallback, least: LoggingSeverity): void {
    this.#callbacks.push({ callback, least });
  }

  /** The same as `hide`, until there is another token; that one stays hidden as all others do. */
  use(token: string): void {
    this.hide(this.#inUse);
    this.#inUse = token;
  }

  /** From now on no line and no result holds this value. */
  hide(...secrets: readonly (string | undefined)[]): void {
    this.#secrets = [...new Set([...secrets.flatMap(written), ...this.#secrets])].slice(0, SECRETS_KEPT);
  }

  /** The text without what is hidden, and without whatever stands behind the word Bearer. */
  redact(text: string): string {
    const secrets = [...written(this.#inUse), ...this.#secrets];
    const known = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
    return known.replace(/\b(Bearer\s+)[\w.~+/=-]{8,}/gi, '$1[hidden]');
  }

  tell(severity: LoggingSeverity, message: string): void {
    if (severity < this.#least) return;
    const line = this.redact(message);
    for (const { callback, least } of [...this.#callbacks]) {
      if (severity >= least && least !== LoggingSeverity.None)
        callBack('AddLogCallback', () => callback(line, severity));
    }
  }
}

/** A secret as a service may say it: as it is, or as it was sent in a form. What is short is none. */
function written(secret: string | undefined): readonly string[] {
  return secret !== undefined && secret.length > 7 ? formsOf(secret) : [];
}
