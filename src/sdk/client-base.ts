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
      // A computed name appears in stack traces.
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

  /** Version of the SDK release that this implementation follows, here and below. */
  static GetVersionMajor(): number {
    return RELEASE.major;
  }

  static GetVersionMinor(): number {
    return RELEASE.minor;
  }

  /** 0: this implementation follows every patch of a release. */
  static GetVersionPatch(): number {
    return RELEASE.patch;
  }

  /** '': this implementation contains no commit of the SDK. */
  static GetVersionHash(): string {
    return '';
  }

  /**
   * On the page at `settings.redirectUri`: passes the web site's answer in the page's address to the waiting game in
   * another window, and closes this one. False where there is none, as always in Node. A name of our own.
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

/** The class of a client, with a method for each row of the table; the extending class passes its host. */
export const ClientBase = Base as unknown as Omit<typeof Base, 'prototype'> &
  (new (
    ...args: ConstructorParameters<typeof Base>
  ) => EntryPoints);
