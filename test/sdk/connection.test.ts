import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AuthorizationTokenType, Client, ClientStatus, ConnectionError } from '../../src/sdk/index.ts';
import { alone, plays, provisionalToken, service, until } from './played-game.ts';
import { scriptedService } from './scripted-service.ts';

const { Bearer } = AuthorizationTokenType;

/** A service whose gateway does what the test says with each connection; everything else is 404. */
async function scripted(
  gateway: ((send: (payload: unknown) => void, close: (code: number) => void) => void) | undefined,
): Promise<string> {
  const { api } = await scriptedService({
    connected: (peer) =>
      gateway?.(
        (payload) => peer.send(payload),
        (code) => peer.close(code),
      ),
  });
  return api;
}

/** A service whose tokens end within a second. */
async function scriptedTokens(): Promise<string> {
  const server = createServer((_request, response) =>
    response.end(
      JSON.stringify({ access_token: 'a-short-lived-token', token_type: 'Bearer', expires_in: 1, scope: '' }),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
}

async function connecting(api: string, token = 'a-token-of-nobody') {
  const client = alone(api);
  client.SetHttpRequestTimeout(400);
  const statuses: number[][] = [];
  client.SetStatusChangedCallback((...status) => statuses.push(status));
  expect((await client.UpdateToken(Bearer, token)).result.ToString()).toBe('Success');
  client.Connect();
  return { client, statuses };
}

describe('the connection to the service', () => {
  it('becomes ready by itself, closes when the game disconnects, and can be opened again [K-3]', async () => {
    const { api } = await service();
    const { client, statuses } = await plays(api, 'ana');
    expect(statuses).toEqual([[ClientStatus.Connecting], [ClientStatus.Connected], [ClientStatus.Ready]]);
    expect([client.IsAuthenticated(), client.GetCurrentUserV2()?.DisplayName()]).toEqual([true, 'ana']);
    await client.Disconnect();
    expect(statuses.slice(3)).toEqual([[ClientStatus.Disconnecting], [ClientStatus.Disconnected]]);
    expect(client.GetCurrentUserV2()).toBeUndefined();
    expect((await client.SendLobbyMessage(1n, 'x')).result.Type()).toBe(5);
    client.Connect();
    await until(() => client.GetStatus() === ClientStatus.Ready);
  });

  it('closes without an error at any moment of its start', async () => {
    const { api } = await service();
    const token = await provisionalToken(api, 'ana');
    for (const ms of [0, 1, 2, 3, 5, 8, 13, 20]) {
      const client = alone(api);
      await client.UpdateToken(Bearer, token);
      client.Connect();
      await new Promise((resolve) => setTimeout(resolve, ms));
      await client.Disconnect();
      expect(client.GetStatus()).toBe(ClientStatus.Disconnected);
    }
  });

  it('resumes after a connection loss and after a reconnect request of the service', async () => {
    const emulator = await service();
    const ana = await plays(emulator.api, 'ana');
    const { lobbyId } = await ana.client.CreateOrJoinLobby('tide');
    const heard: string[] = [];
    ana.client.SetMessageCreatedCallback((id) =>
      heard.push(ana.client.GetMessageHandle(id)?.Content() ?? ''),
    );
    for (const [i, fault] of ['reconnect', 'close=4000', 'close=1001'].entries()) {
      await emulator.faults.add(fault, { gateway: true, count: 1 });
      for (const text of [`a${i}`, `b${i}`])
        await emulator.operations.call('lobby.say', { lobby: String(lobbyId), user: String(ana.id), text });
      await until(() => heard.includes(`b${i}`) && ana.client.GetStatus() === ClientStatus.Ready);
    }
    expect(heard).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
    expect(ana.statuses.filter(([status]) => status === ClientStatus.Reconnecting)).toHaveLength(3);
    expect(ana.client.GetStatus()).toBe(ClientStatus.Ready);
  });

  it('reports a refused token, and requests another', async () => {
    const emulator = await service();
    const { client, statuses } = await connecting(emulator.api);
    let expired = 0;
    client.SetTokenExpirationCallback(() => {
      expired += 1;
    });
    await until(() => statuses.at(-1)?.[0] === ClientStatus.Disconnected);
    expect(statuses.at(-1)?.slice(0, 2)).toEqual([
      ClientStatus.Disconnected,
      ConnectionError.ConnectionFailed,
    ]);
    expect([401, 4004]).toContain(statuses.at(-1)?.[2]);
    // Once it is known that the token is good for nothing else.
    await until(() => expired > 0);
    expect([expired, client.IsAuthenticated()]).toEqual([1, false]);
    await client.UpdateToken(Bearer, await provisionalToken(emulator.api, 'ana'));
    client.Connect();
    await until(() => client.GetStatus() === ClientStatus.Ready);
  });

  it('reports an expired token, by an answer of the service and by the clock', async () => {
    const emulator = await service();
    const ana = await plays(emulator.api, 'ana');
    let expired = 0;
    ana.client.SetTokenExpirationCallback(() => {
      expired += 1;
    });
    await emulator.advance('8d');
    const { result } = await ana.client.CreateOrJoinLobby('x');
    expect([result.Type(), result.Status()]).toEqual([2, 401]);
    await until(() => expired === 1);
    expect((await ana.client.CreateOrJoinLobby('x')).result.Type()).toBe(3);
    // One that was issued here is known by its end.
    const api = await scriptedTokens();
    const client = alone(api);
    client.SetTokenExpirationCallback(() => {
      expired += 1;
    });
    const { accessToken } = await client.GetProvisionalToken('300000000000000001', 0, 'an-id-token');
    await client.UpdateToken(Bearer, accessToken);
    expect(expired).toBe(1);
    await until(() => expired === 2);
  });

  it.each<
    [string, ((send: (payload: unknown) => void, close: (code: number) => void) => void) | undefined, number]
  >([
    ['says nothing', undefined, 4900],
    ['says hello and nothing else', (send) => send({ op: 10, d: { heartbeat_interval: 1000 } }), 4900],
    ['says nonsense', (send) => send('<html>'), 1006],
    ['says a number', (send) => send('5'), 1006],
    ['says something of no opcode', (send) => send({ op: 'x' }), 1006],
    ['closes', (_send, close) => close(4010), 4010],
    ['ends the session at once', (send) => send({ op: 9, d: false }), 4900],
  ])('fails when the service %s', async (_what, gateway, code) => {
    const { client, statuses } = await connecting(await scripted(gateway));
    await until(() => statuses.at(-1)?.[0] === ClientStatus.Disconnected);
    expect(statuses.at(-1)).toEqual([ClientStatus.Disconnected, ConnectionError.ConnectionFailed, code]);
    expect(client.GetStatus()).toBe(ClientStatus.Disconnected);
  });

  it.each([
    ['READY', null],
    ['READY', { session_id: 's', user: null }],
    ['READY', { session_id: 's', user: { id: 5 } }],
    ['READY', { user: { id: '5', username: 'ana' } }],
    ['RESUMED', {}],
  ])('rejects a %s without a user, or one that it did not request: %j', async (t, d) => {
    const api = await scripted((send) => {
      send({ op: 10, d: {} });
      send({ op: 0, t, s: 1, d });
    });
    const { client, statuses } = await connecting(api);
    await until(() => statuses.at(-1)?.[0] === ClientStatus.Disconnected);
    expect(statuses.at(-1)).toEqual([ClientStatus.Disconnected, ConnectionError.ConnectionFailed, 1006]);
    expect(client.GetCurrentUserV2()).toBeUndefined();
  });

  it('survives events without data', async () => {
    const api = await scripted((send) => {
      send({ op: 10, d: {} });
      send({ op: 0, t: 'READY', s: 1, d: { session_id: 's', user: { id: '9', username: 'ana' } } });
      for (const t of [
        'LOBBY_CREATE',
        'LOBBY_MEMBER_ADD',
        'LOBBY_DELETE',
        'LOBBY_VOICE_STATE_UPDATE',
        'MESSAGE_CREATE',
        'MESSAGE_UPDATE',
        'MESSAGE_DELETE',
        'LOBBY_MESSAGE_CREATE',
        'RELATIONSHIP_ADD',
        'RELATIONSHIP_REMOVE',
        'PRESENCE_UPDATE',
        'CHANNEL_CREATE',
        'WHO_KNOWS',
      ])
        for (const d of [
          null,
          {},
          [],
          'x',
          { id: 5, author: 7, members: 3, user: { id: {} }, recipients: [null] },
        ])
          send({ op: 0, t, s: 2, d });
      send({ op: 0, t: 'LOBBY_CREATE', s: 3, d: { id: '77' } });
    });
    const { client } = await connecting(api);
    await until(() => client.GetLobbyIds().length > 0 && client.GetStatus() === ClientStatus.Ready);
    expect([client.GetLobbyIds(), client.GetRelationships(), client.GetCalls()]).toEqual([[77n], [], []]);
  });

  it('fails at once without a service, an application or a token', async () => {
    const { client, statuses } = await connecting('http://127.0.0.1:9/api');
    await until(() => statuses.at(-1)?.[0] === ClientStatus.Disconnected);
    expect(statuses.at(-1)?.[1]).toBe(ConnectionError.ConnectionFailed);
    await client.Disconnect();
    const fresh = new Client('http://127.0.0.1:9/api', 'https://web.example');
    const told: number[][] = [];
    fresh.SetStatusChangedCallback((...status) => told.push(status));
    fresh.Connect();
    await until(() => told.length > 0);
    expect(told).toEqual([[ClientStatus.Disconnected, ConnectionError.ConnectionFailed, 0]]);
  });

  it('sends no token to an unencrypted gateway on another host', async () => {
    const server = createServer((_request, response) =>
      response.end(JSON.stringify({ url: 'ws://gateway.example' })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { client, statuses } = await connecting(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    );
    const lines: string[] = [];
    client.AddLogCallback((line) => lines.push(line), 1);
    await until(() => statuses.at(-1)?.[0] === ClientStatus.Disconnected);
    expect(lines.join()).toContain('wss');
  });

  it('has no token in any log line [U-8]', async () => {
    const emulator = await service();
    const lines: string[] = [];
    const client = alone(emulator.api);
    client.AddLogCallback((line) => lines.push(line), 1);
    const token = await provisionalToken(emulator.api, 'ana');
    await client.UpdateToken(Bearer, token);
    client.Connect();
    await until(() => client.GetStatus() === ClientStatus.Ready);
    await client.SendLobbyMessage(1n, token);
    await emulator.restart();
    await until(() => lines.length > 0);
    expect(lines.join('\n')).not.toContain(token);
  });
});

it('the token of another player is accepted after Disconnect, for the next Connect [K-3]', async () => {
  const emulator = await service();
  const { client, id } = await plays(emulator.api, 'ana');
  await client.Disconnect();
  const token = await provisionalToken(emulator.api, 'ben');
  const { result } = await client.UpdateToken(AuthorizationTokenType.Bearer, token);
  expect(result.ToString()).toBe('Success');
  expect(client.GetStatus()).toBe(ClientStatus.Disconnected);
  client.Connect();
  await until(() => client.GetStatus() === ClientStatus.Ready);
  expect(client.GetCurrentUserV2()?.Id()).not.toBe(id);
});
