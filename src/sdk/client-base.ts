import { Core } from './core.ts';
import { COMMUNICATION_SCOPES, PRESENCE_SCOPES } from './entry-points/accounts.ts';
import { ENTRY_POINTS, type EntryPoints } from './entry-points/table.ts';
import { ClientStatus, ConnectionError } from './enums.ts';
import type { Host } from './host.ts';
import { type ClientSettings, checkSettings } from './settings.ts';
import { nameIn, text } from './values.ts';
import { answerAuthorize } from './window-answer.ts';

/** The release that is followed. */
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
      // By a computed name, which a stack trace shows.
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

  /** The name of a number of `Client.Error`. */
  static ErrorToString(type: ConnectionError): string {
    return nameIn(ConnectionError, type);
  }

  /** The name of a number of `Client.Status`. */
  static StatusToString(type: ClientStatus): string {
    return nameIn(ClientStatus, type);
  }

  /** Of the SDK's release that is followed, here and below. */
  static GetVersionMajor(): number {
    return RELEASE.major;
  }

  static GetVersionMinor(): number {
    return RELEASE.minor;
  }

  /** 0: every patch of a release is followed. */
  static GetVersionPatch(): number {
    return RELEASE.patch;
  }

  /** '': no commit of the SDK is in this. */
  static GetVersionHash(): string {
    return '';
  }

  /**
   * On the page at `settings.redirectUri`: hands the answer of the web site, which is in the page's address, to the game that waits
   * for it in another window, and closes this one. False where there is none, as always in Node. A name of our own.
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

/** The class of a client with a method for each row of the table; what runs it is named by the class that extends it. */
export const ClientBase = Base as unknown as Omit<typeof Base, 'prototype'> &
  (new (
    ...args: ConstructorParameters<typeof Base>
  ) => EntryPoints);
