import { ask } from '../client/http.ts';
import type { Client as Rpc } from '../client/index.ts';
import { within } from '../client/limit.ts';
import { idText, needToken } from './checks.ts';
import type { Core } from './core.ts';
import { AuthorizationTokenType, ClientStatus, ConnectionError, ErrorType, StatusType } from './enums.ts';
import { UserHandle } from './handles.ts';
import { Failed, type Outcome } from './outcome.ts';
import { PeopleEntryPoints } from './people-entry-points.ts';
import { idOf, objectsOf } from './raw.ts';
import { type ClientResult, type ResultCallback, ValidationError } from './result.ts';
import { nonsense, rawOf } from './service.ts';
import { type Id, nameIn } from './values.ts';

/** Gets whose token it is, and how they are called; 0 and '' on failure. */
export type FetchCurrentUserCallback = (result: ClientResult, id: bigint, name: string) => void;
/** Gets the user of the chat client; undefined on failure, and where it tells none. */
export type DiscordClientConnectedUserCallback = (result: ClientResult, user: UserHandle | undefined) => void;

/** The release that is followed. */
const RELEASE = { major: 1, minor: 10, patch: 0 } as const;
/** How the player can be there, in the gateway's words. */
const STATUSES: ReadonlyMap<unknown, string> = new Map([
  [StatusType.Online, 'online'],
  [StatusType.Idle, 'idle'],
  [StatusType.Dnd, 'dnd'],
  [StatusType.Invisible, 'invisible'],
]);

/** Who the player is, and how they are there. */
export class SelfEntryPoints extends PeopleEntryPoints {
  readonly #core: Core;

  constructor(core: Core) {
    super(core);
    this.#core = core;
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

  /** Whose token it is, and how they are called; that of `UpdateToken` is another matter, as is whether there is a session. */
  FetchCurrentUser(
    tokenType: AuthorizationTokenType,
    token: string,
    callback?: FetchCurrentUserCallback,
  ): Promise<Outcome<{ readonly id: bigint; readonly name: string }>> {
    const { api, timeoutMs, log } = this.#core;
    const work = async (): Promise<{ id: bigint; name: string }> => {
      if (tokenType !== AuthorizationTokenType.Bearer)
        throw new ValidationError('tokenType: only Bearer is offered');
      log.hide(needToken('token', token));
      const told = rawOf(await ask({ api, timeoutMs }, { method: 'GET', path: '/users/@me', token }));
      const user = new UserHandle(told);
      if (idOf(told['id']) === 0n) throw nonsense();
      return { id: user.Id(), name: user.DisplayName() };
    };
    const empty = { id: 0n, name: '' };
    return this.#core.settleToken('FetchCurrentUser', empty, work, callback, (call, { result, id, name }) =>
      call(result, id, name),
    );
  }

  /** Who is logged in to the chat client, asked in the name of an application; fails where no chat client answers. */
  GetDiscordClientConnectedUser(
    applicationId: Id,
    callback?: DiscordClientConnectedUserCallback,
  ): Promise<Outcome<{ readonly user: UserHandle | undefined }>> {
    const work = async (): Promise<{ user: UserHandle | undefined }> => {
      const clientId = idText('applicationId', applicationId);
      if (BigInt(clientId) === 0n) throw new ValidationError('applicationId: must not be 0');
      const [told] = objectsOf([await this.#userOf(clientId)]);
      return { user: told && this.#core.users.handle(told) };
    };
    const empty = { user: undefined as UserHandle | undefined };
    return this.#core.settle(
      'GetDiscordClientConnectedUser',
      empty,
      work,
      callback,
      (call, { result, user }) => call(result, user),
    );
  }

  /**
   * How the player is there, from now on and in sessions to come: Online, Idle, Dnd or Invisible. It is the session's to show, so
   * that it fails without one.
   */
  SetOnlineStatus(status: StatusType, callback?: ResultCallback): Promise<Outcome> {
    const work = async (): Promise<object> => {
      const core = this.#core;
      const word = STATUSES.get(status);
      if (word === undefined)
        throw new ValidationError('status: must be one of Online (0), Idle (3), Dnd (4), Invisible (5)');
      if (core.status !== ClientStatus.Ready)
        throw new Failed(ErrorType.ClientNotReady, 'There is no session; call Connect, and wait for Ready');
      core.onlineStatus = word;
      core.gateway.show();
      return {};
    };
    return this.#core.settle('SetOnlineStatus', {}, work, callback, (call, { result }) => call(result));
  }

  /** By the connection that there is; for another application by one that is made for this. */
  async #userOf(clientId: string): Promise<Rpc['user']> {
    const { chat, applicationId, host, settings, service, timeoutMs } = this.#core;
    if (chat !== undefined && clientId === String(applicationId)) return (await chat.need()).user;
    const { paths, anyOwner } = settings;
    const rpc = host.createRpc({ clientId, paths, anyOwner, reconnect: false });
    try {
      await service.waitedFor((signal) => within(rpc.connect(), 'The chat client', timeoutMs, signal));
      return rpc.user;
    } finally {
      await rpc.close();
    }
  }
}
