import { callApi } from '../../client/http.ts';
import type { Client as Rpc } from '../../client/index.ts';
import { within } from '../../client/limit.ts';
import { idText, needText, needToken } from '../checks.ts';
import type { Core } from '../core.ts';
import { AuthorizationTokenType, ClientStatus, ErrorType, StatusType } from '../enums.ts';
import { UserHandle } from '../handles.ts';
import { Failed } from '../outcome.ts';
import { idOf, objectsOf } from '../raw.ts';
import { type ClientResult, ValidationError } from '../result.ts';
import { nonsense, rawOf } from '../service.ts';
import { type Id, uint64 } from '../values.ts';
import { action, callbackValues, method, request } from './row.ts';

/** Receives the id and name of a token's user; 0 and '' on failure. */
export type FetchCurrentUserCallback = (result: ClientResult, id: bigint, name: string) => void;
/** Receives the user of the chat client; undefined on failure, and when the chat client does not send its user. */
export type DiscordClientConnectedUserCallback = (result: ClientResult, user: UserHandle | undefined) => void;

const NAMED = callbackValues({ id: 0n, name: '' }, (call: FetchCurrentUserCallback, { result, id, name }) =>
  call(result, id, name),
);
const USER = callbackValues(
  { user: undefined as UserHandle | undefined },
  (call: DiscordClientConnectedUserCallback, { result, user }) => call(result, user),
);

/** Online statuses in the gateway's spelling. */
const STATUSES: ReadonlyMap<unknown, string> = new Map([
  [StatusType.Online, 'online'],
  [StatusType.Idle, 'idle'],
  [StatusType.Dnd, 'dnd'],
  [StatusType.Invisible, 'invisible'],
]);

/** Entry points for the player's account and status, and for other users. */
export const USERS = {
  /**
   * The logged-in user: from the service when there is a session, else from the chat client; undefined when there is
   * neither.
   */
  GetCurrentUserV2: method((core): UserHandle | undefined => currentUser(core)),

  /** Deprecated name of `GetCurrentUserV2`. */
  GetCurrentUser: method((core): UserHandle | undefined => currentUser(core)),

  /** Returns a user whose data this client has received; undefined for any other user. */
  GetUser: method(({ player, friends }, userId: Id): UserHandle | undefined => {
    const id = uint64('userId', userId);
    const friend = friends.user(String(id));
    return player.users.get(id) ?? (friend && player.users.handle(friend));
  }),

  /**
   * Requests the id and name of a token's user. The request needs no session, and does not change the token of
   * `UpdateToken`.
   */
  FetchCurrentUser: request(
    NAMED,
    async ({ api, timeoutMs, log }, tokenType: AuthorizationTokenType, token: string) => {
      if (tokenType !== AuthorizationTokenType.Bearer)
        throw new ValidationError('tokenType: only Bearer is offered');
      log.hide(needToken('token', token));
      const raw = rawOf(await callApi({ api, timeoutMs }, { method: 'GET', path: '/users/@me', token }));
      const user = new UserHandle(raw);
      if (idOf(raw['id']) === 0n) throw nonsense();
      return { id: user.Id(), name: user.DisplayName() };
    },
    { afterDisconnect: true },
  ),

  /** The user of the chat client, requested for an application; fails where no chat client answers. */
  GetDiscordClientConnectedUser: request(USER, async (core, applicationId: Id) => {
    const clientId = idText('applicationId', applicationId);
    if (BigInt(clientId) === 0n) throw new ValidationError('applicationId: must not be 0');
    const [raw] = objectsOf([await userOfChat(core, clientId)]);
    return { user: raw && core.player.users.handle(raw) };
  }),

  /**
   * Sets the player's status in this session and in later sessions: Online, Idle, Dnd or Invisible. Fails without a
   * session, because the status can be shown only there.
   */
  SetOnlineStatus: action(async (core, status: StatusType) => {
    const word = STATUSES.get(status);
    if (word === undefined)
      throw new ValidationError('status: must be one of Online (0), Idle (3), Dnd (4), Invisible (5)');
    if (core.status !== ClientStatus.Ready)
      throw new Failed(ErrorType.ClientNotReady, 'There is no session; call Connect, and wait for Ready');
    core.session.showAs(word);
  }),

  /** Renames a player's provisional account. */
  UpdateProvisionalAccountDisplayName: action(async ({ player, service }, name: string) => {
    const { age, users } = player;
    const user = await service.object('PATCH', '/users/@me', { global_name: needText('name', name) });
    // Another player may have logged in during the request.
    if (player.age !== age) return;
    if (users.me !== undefined) users.me = user;
    users.take(user);
  }),
};

function currentUser({ chat, player }: Core): UserHandle | undefined {
  const { users } = player;
  if (users.me !== undefined) return users.handle(users.me);
  if (chat.isForeign) return undefined;
  const rpc = chat.client?.rpc;
  return rpc?.state === 'ready' && rpc.user ? users.handle(rpc.user) : undefined;
}

/** Requests the user over the existing connection; for another application, over a temporary connection. */
async function userOfChat(core: Core, clientId: string): Promise<Rpc['user']> {
  const { chat, applicationId, host, settings, service, timeoutMs } = core;
  if (chat.client !== undefined && clientId === String(applicationId)) return (await chat.client.need()).user;
  const { paths, anyOwner } = settings;
  const rpc = host.createRpc({ clientId, paths, anyOwner, reconnect: false });
  try {
    await service.waitedFor((signal) => within(rpc.connect(), 'The chat client', timeoutMs, signal));
    return rpc.user;
  } finally {
    await rpc.close();
  }
}
