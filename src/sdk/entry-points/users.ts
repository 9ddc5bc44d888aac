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

/** Gets the id and name of a token's user; 0 and '' on failure. */
export type FetchCurrentUserCallback = (result: ClientResult, id: bigint, name: string) => void;
/** Gets the user of the chat client; undefined on failure, and where the chat client sends none. */
export type DiscordClientConnectedUserCallback = (result: ClientResult, user: UserHandle | undefined) => void;

const NAMED = callbackValues({ id: 0n, name: '' }, (call: FetchCurrentUserCallback, { result, id, name }) =>
  call(result, id, name),
);
const USER = callbackValues(
  { user: undefined as UserHandle | undefined },
  (call: DiscordClientConnectedUserCallback, { result, user }) => call(result, user),
);

/** Online statuses as the gateway has them. */
const STATUSES: ReadonlyMap<unknown, string> = new Map([
  [StatusType.Online, 'online'],
  [StatusType.Idle, 'idle'],
  [StatusType.Dnd, 'dnd'],
  [StatusType.Invisible, 'invisible'],
]);

/** The player's account and status, and other users. */
export const USERS = {
  /**
   * The logged-in user: from the service where there is a session, else from the chat client; undefined without either.
   */
  GetCurrentUserV2: method((core): UserHandle | undefined => currentUser(core)),

  /** As above, under its older, deprecated name. */
  GetCurrentUser: method((core): UserHandle | undefined => currentUser(core)),

  /** A user whose data this client has received; undefined for any other. */
  GetUser: method(({ player, friends }, userId: Id): UserHandle | undefined => {
    const id = uint64('userId', userId);
    const friend = friends.user(String(id));
    return player.users.get(id) ?? (friend && player.users.handle(friend));
  }),

  /** Id and name of a token's user. It needs no session, and does not change the token of `UpdateToken`. */
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
   * The player's status, in this session and in later ones: Online, Idle, Dnd or Invisible. Fails without a session,
   * which alone can show it.
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
    // Another player may be logged in by now.
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

/** Uses the existing connection; for another application, a temporary one. */
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
