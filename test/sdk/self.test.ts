import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  Activity,
  AuthorizationTokenType,
  Client,
  type ClientResult,
  ClientStatus,
  ConnectionError,
  ErrorType,
  LoggingSeverity,
  StatusType,
  type UserHandle,
} from '../../src/sdk/index.ts';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { eventually } from '../helpers/eventually.ts';
import { scriptedReady, scriptedServer } from '../helpers/scripted-server.ts';
import { APP, alone, plays, provisionalToken, service, until } from './played-game.ts';

const { Bearer } = AuthorizationTokenType;
const RIVER = 200000000000000001n;

describe('FetchCurrentUser', () => {
  it('returns the user of any token without a session or a token of the client, and logs no token', async () => {
    const { api } = await service();
    const token = await provisionalToken(api, 'ana');
    const client = new Client(api, 'https://web.example');
    const lines: string[] = [];
    client.AddLogCallback((line) => lines.push(line), LoggingSeverity.Verbose);
    const callback = vi.fn();
    const { result, id, name } = await client.FetchCurrentUser(Bearer, token, callback);
    expect([result.ToString(), id > 0n, name]).toEqual(['Success', true, 'ana']);
    expect(callback.mock.calls).toEqual([[result, id, 'ana']]);
    expect(client.IsAuthenticated()).toBe(false);

    const wrong = await client.FetchCurrentUser(Bearer, `${token}x`);
    expect([wrong.result.Type(), wrong.result.Status(), wrong.id, wrong.name]).toEqual([
      ErrorType.HTTPError,
      401,
      0n,
      '',
    ]);
    expect(JSON.parse(wrong.result.ResponseBody())).toMatchObject({ code: 0 });
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain(token);
  });

  it('does not change the token of the client when the service refuses another token', async () => {
    const { api } = await service();
    const { client, id } = await plays(api, 'ana');
    const expired = vi.fn();
    client.SetTokenExpirationCallback(expired);
    expect((await client.FetchCurrentUser(Bearer, 'a-token-of-nobody')).result.Status()).toBe(401);
    expect([client.IsAuthenticated(), client.GetStatus(), expired.mock.calls.length]).toEqual([true, 3, 0]);
    await client.Disconnect();
    const token = await provisionalToken(api, 'ana');
    expect((await client.FetchCurrentUser(Bearer, token)).id).toBe(id);
  });
});

describe('GetDiscordClientConnectedUser', () => {
  it('returns the user of the chat client for any application, with or without a session', async () => {
    const emulator = await service();
    const client = new Client(emulator.api, 'https://web.example', {
      paths: [`${emulator.env.XDG_RUNTIME_DIR}/discord-ipc-0`],
    });
    onTestFinished(() => client.Disconnect());
    const told: (UserHandle | undefined)[] = [];
    const before = await client.GetDiscordClientConnectedUser(APP, (_result, user) => told.push(user));
    client.SetApplicationId(APP);
    const own = await client.GetDiscordClientConnectedUser(BigInt(APP));
    const other = await client.GetDiscordClientConnectedUser('300000000000000002');
    expect([before, own, other].map(({ result, user }) => [result.ToString(), user?.Id()])).toEqual(
      Array.from({ length: 3 }, () => ['Success', RIVER]),
    );
    expect(told).toEqual([before.user]);
    // The connections that were made for the answer are gone.
    await until(() => sessionsOf(emulator) <= 1);
  });

  it('fails without a chat client, returns undefined for a READY without a user, and rejects application id 0', async () => {
    const { result, user } = await alone('http://127.0.0.1:9/api').GetDiscordClientConnectedUser(APP);
    expect([result.Type(), user]).toEqual([ErrorType.ClientNotReady, undefined]);
    expect((await alone('').GetDiscordClientConnectedUser('5')).result.Type()).toBe(ErrorType.ClientNotReady);
    expect((await alone('').GetDiscordClientConnectedUser(0n)).result.Error()).toBe(
      'applicationId: must not be 0',
    );
    const { path } = await scriptedServer(({ opcode }, peer) => {
      if (opcode === Opcode.HANDSHAKE) peer.payload({ evt: 'READY', data: { ...scriptedReady, user: null } });
    });
    const client = new Client('', '', { paths: [path] });
    onTestFinished(() => client.Disconnect());
    const nobody = await client.GetDiscordClientConnectedUser(APP);
    expect([nobody.result.ToString(), nobody.user]).toEqual(['Success', undefined]);
    await client.Disconnect();
    expect((await client.GetDiscordClientConnectedUser(APP)).result.Type()).toBe(ErrorType.ClientDestroyed);
  });
});

describe('SetOnlineStatus', () => {
  it('changes the status that friends see, in this session and in later ones', async () => {
    const emulator = await service();
    const { api } = emulator;
    const ana = await plays(api, 'ana');
    const bo = await plays(api, 'bo');
    await ana.client.SendGameFriendRequestById(bo.id);
    await bo.client.AcceptGameFriendRequest(ana.id);
    await until(() => bo.client.GetRelationshipHandle(ana.id).GameRelationshipType() === 1);
    const seen = (): number | undefined => bo.client.GetUser(ana.id)?.Status();
    const changed: bigint[] = [];
    bo.client.SetUserUpdatedCallback((id) => changed.push(id));
    for (const status of [StatusType.Dnd, StatusType.Idle, StatusType.Online]) {
      expect((await ana.client.SetOnlineStatus(status)).result.ToString()).toBe('Success');
      await until(() => seen() === status);
      expect(ana.client.GetCurrentUserV2()?.Status()).toBe(status);
    }
    expect(changed).toContain(ana.id);
    expect((await ana.client.SetOnlineStatus(StatusType.Invisible)).result.ToString()).toBe('Success');
    // Whoever does not want to be seen is away, for all others.
    await until(() => seen() === StatusType.Offline);
    expect(ana.client.GetCurrentUserV2()?.Status()).toBe(StatusType.Invisible);

    await ana.client.SetOnlineStatus(StatusType.Dnd);
    await until(() => seen() === StatusType.Dnd);
    await ana.client.Disconnect();
    await until(() => seen() === StatusType.Offline);
    ana.client.Connect();
    await until(() => seen() === StatusType.Dnd);
  });

  it('persists across a lost connection and a new session, and fails while no session exists', async () => {
    const emulator = await service();
    const { client } = await plays(emulator.api, 'ana');
    await client.SetOnlineStatus(StatusType.Idle);
    const results: ClientResult[] = [];
    client.SetStatusChangedCallback((status) => {
      if (status === ClientStatus.Reconnecting)
        void client.SetOnlineStatus(StatusType.Dnd, (result) => results.push(result));
    });
    await emulator.restart();
    await until(() => results.length > 0 && client.GetStatus() === ClientStatus.Ready);
    expect([results[0]?.Type(), results[0]?.Retryable()]).toEqual([ErrorType.ClientNotReady, true]);
    // Identify, and no presence update before it.
    await until(() => said(emulator).some((text) => text.includes('"op":2') && text.includes('"idle"')));
    expect((await alone(emulator.api).SetOnlineStatus(StatusType.Idle)).result.Type()).toBe(
      ErrorType.ClientNotReady,
    );
  });
});

it('a resumed session sends the activity change that was made while no connection existed', async () => {
  const emulator = await service();
  const activity = new Activity();
  activity.SetState('In the harbour');
  const { client: ana } = await plays(emulator.api, 'ana');
  await ana.UpdateRichPresence(activity);
  const states: number[] = [];
  ana.SetStatusChangedCallback((status) => {
    states.push(status);
    // There is nothing that it could be sent by, or only what does not know yet whose it is.
    if (status !== ClientStatus.Reconnecting) return;
    const asked = setInterval(() => {
      ana.ClearRichPresence();
      if (ana.GetStatus() === ClientStatus.Ready) clearInterval(asked);
    });
  });
  await emulator.faults.add('close=4000', { gateway: true, count: 1 });
  const { lobbyId } = await ana.CreateOrJoinLobby('tide');
  await ana.SendLobbyMessage(lobbyId, 'x');
  await until(() => states.includes(ClientStatus.Reconnecting) && ana.GetStatus() === ClientStatus.Ready);
  const last = () => JSON.parse(said(emulator).at(-1) ?? '{}') as object;
  await eventually(() => expect(last()).toMatchObject({ op: 3, d: { activities: [] } }));
});

describe('static methods of Client', () => {
  it('return the names of statuses and errors in the SDK', () => {
    expect(Object.values(Client.Status).map((status) => Client.StatusToString(status))).toEqual(
      Object.keys(ClientStatus),
    );
    expect(Client.StatusToString(Client.Status.Ready)).toBe('Ready');
    expect(Client.ErrorToString(Client.Error.UnexpectedClose)).toBe('UnexpectedClose');
    expect(Object.keys(ConnectionError)).toHaveLength(4);
    for (const wrong of [-1, 7, undefined, 'Ready', null])
      expect([Client.StatusToString(wrong as never), Client.ErrorToString(wrong as never)]).toEqual([
        'unknown',
        'unknown',
      ]);
  });

  it('return the version of the SDK release that the client follows', () => {
    const numbers = [Client.GetVersionMajor(), Client.GetVersionMinor(), Client.GetVersionPatch()];
    expect([...numbers, Client.GetVersionHash()]).toEqual([1, 10, 0, '']);
  });
});

/** Presences as clients of the gateway said them. */
function said(emulator: TestEmulator): string[] {
  return emulator
    .journal()
    .flatMap((entry) => (entry.kind === 'gateway' && entry.direction === 'in' ? [entry.text] : []))
    .filter((text) => text.includes('activities'));
}

/** RPC connections that have begun and not ended. */
function sessionsOf(emulator: TestEmulator): number {
  const kinds = emulator.journal().map(({ kind }) => kind as string);
  return kinds.filter((kind) => kind === 'connect').length - kinds.filter((kind) => kind === 'end').length;
}
