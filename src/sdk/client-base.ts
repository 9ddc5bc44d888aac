import { Core } from './core.ts';
import { COMMUNICATION_SCOPES, PRESENCE_SCOPES } from './entry-points/accounts.ts';
import { ENTRY_POINTS, type EntryPoints } from './entry-points/table.ts';
import { ClientStatus, ConnectionError } from './enums.ts';
import type { Host } from './host.ts';
import { type ClientSettings, checkSettings } from './settings.ts';
import { nameIn, text } from './values.ts';
import { answerAuthorize } from './window-answer.ts';

/** The SDK release that this implementation follows. */
const RELEASE = { major: 1, minor: 10, patch: 0 } as const;

class Base {
  static readonly Status: typeof ClientStatus = ClientStatus;
  static readonly Error: typeof ConnectionError = ConnectionError;
  readonly #core: Core;

  constructor(host: Host, apiBase: string, webBase: string, settings: ClientSettings) {
    text('apiBase', apiBase);
    text('webBase', webBase);
    this.#core = new Core(host, apiBase, webBase, checkSettings(settings));
  }

  static {
    for (const [name, entry] of Object.entries(ENTRY_POINTS)) {
      // A computed name makes the method's name appear in stack traces.
      const methods = {
        [name](this: Base, ...args: never[]): unknown {
          return entry.of(this.#core, name)(...args);
        },
      };
      Object.defineProperty(Base.prototype, name, {
        value: methods[name],
        configurable: true,
        writable: true,
      });
    }
  }

  /** Name of a value of `Client.Error`. */
  static ErrorToString(type: ConnectionError): string {
    return nameIn(ConnectionError, type);
  }

  /** Name of a value of `Client.Status`. */
  static StatusToString(type: ClientStatus): string {
    return nameIn(ClientStatus, type);
  }

  /** Major version of the SDK release that this implementation follows; `GetVersionMinor` returns its minor version. */
  static GetVersionMajor(): number {
    return RELEASE.major;
  }

  static GetVersionMinor(): number {
    return RELEASE.minor;
  }

  /** Always 0, because this implementation follows every patch of a release. */
  static GetVersionPatch(): number {
    return RELEASE.patch;
  }

  /** Always '', because this implementation contains no commit of the SDK. */
  static GetVersionHash(): string {
    return '';
  }

  /**
   * Call it on the page at `settings.redirectUri`: passes the web site's answer, which is in the page's address, to the
   * game that waits in another window, and closes the page's own window. Returns false when there is no such answer, as
   * always in Node. The SDK has no such method; the name is our own.
   */
  static AnswerAuthorize(): boolean {
    return answerAuthorize();
  }

  /** The scopes of games with lobbies, voice and messages. */
  static GetDefaultCommunicationScopes(): string {
    return COMMUNICATION_SCOPES;
  }

  /** The scopes of games with presence and friends. */
  static GetDefaultPresenceScopes(): string {
    return PRESENCE_SCOPES;
  }
}

/** Base class of a client, with one method for each row of the table. A subclass passes its host. */
export const ClientBase = Base as unknown as Omit<typeof Base, 'prototype'> &
  (new (
    ...args: ConstructorParameters<typeof Base>
  ) => EntryPoints);
