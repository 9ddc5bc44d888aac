import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { AuthorizationTokenType, CallStatus, ClientStatus, ConnectionError } from '../../src/sdk/index.ts';
import { inCall, starts } from './played-call.ts';
import { alone, plays, provisionalToken, service, until } from './played-game.ts';
import { type Peer, scriptedService } from './scripted-service.ts';

const { Bearer } = AuthorizationTokenType;
const { Disconnected, Connecting, Connected, Ready, Reconnecting } = ClientStatus;
const TOKEN = 'a-token-of-ana';

type Answer = NonNullable<NonNullable<Parameters<typeof scriptedService>[0]>['answer']>;

/** A client of a service that answers so, and each status that it tells. */
async function playing(answer: Answer) {
  const { api, peers } = await scriptedService({ answer });
  const client = alone(api);
  const statuses: (readonly number[])[] = [];
  client.SetStatusChangedCallback((...status) => statuses.push(status));
  const greeted = async (): Promise<Peer> => {
    client.Connect();
    await until(() => peers.length > 0);
    const peer = peers[0] as Peer;
    await peer.asks(2);
    peer.tell('READY', { session_id: 's', user: { id: '1', username: 'ana' }, lobbies: [] });
    return peer;
  };
  return { client, statuses, greeted };
}

const friends = JSON.stringify([{ id: '8', type: 1, user: { id: '8', username: 'eight' } }]);

it('the status becomes Ready once the list of friends has arrived', async () => {
  let list: ServerResponse | undefined;
  const { client, greeted } = await playing(({ url }, response) => {
    if (url?.endsWith('/@me/relationships') !== true) return false;
    list = response;
    return true;
  });
  await client.UpdateToken(Bearer, TOKEN);
  const atReady: number[] = [];
  client.SetStatusChangedCallback((status) => {
    if (status === Ready) atReady.push(client.GetRelationships().length);
  });
  await greeted();
  await until(() => list !== undefined && client.GetCurrentUserV2() !== undefined);
  expect(client.GetStatus()).toBe(Connected);
  list?.end(friends);
  await until(() => client.GetStatus() === Ready);
  expect(atReady).toEqual([1]);
});

it('the status becomes Ready after a limited wait without a list of friends, and not after Disconnect', async () => {
  const { client, greeted, statuses } = await playing(({ url }) => url?.endsWith('relationships') === true);
  await client.UpdateToken(Bearer, TOKEN);
  await greeted();
  await until(() => client.GetStatus() === Ready);
  await client.Disconnect();
  expect(statuses.map(([status]) => status).slice(0, 3)).toEqual([Connecting, Connected, Ready]);
  expect(client.GetStatus()).toBe(Disconnected);
});

it('a token that an HTTP response refuses ends the session and calls the expiration callback once', async () => {
  const { client, greeted, statuses } = await playing(({ method }, response) => {
    if (method !== 'POST') return false;
    response.writeHead(401).end('{"message":"401: Unauthorized","code":0}');
    return true;
  });
  const expired: ClientStatus[] = [];
  client.SetTokenExpirationCallback(() => expired.push(client.GetStatus()));
  await client.UpdateToken(Bearer, TOKEN);
  const peer = await greeted();
  await until(() => client.GetStatus() === Ready);
  await client.SendUserMessage('2', 'x');
  expect(statuses.at(-1)).toEqual([Disconnected, ConnectionError.ConnectionFailed, 401]);
  expect([expired, client.IsAuthenticated()]).toEqual([[Disconnected], false]);
  await until(() => peer.isOver);
});

it('a Connect without a token reports no status once a token is set', async () => {
  const { api } = await service();
  const client = alone(api);
  const statuses: ClientStatus[] = [];
  client.SetStatusChangedCallback((status) => statuses.push(status));
  const token = await provisionalToken(api, 'ana');
  client.Connect();
  const updated = client.UpdateToken(Bearer, token);
  client.Connect();
  await updated;
  await until(() => client.GetStatus() === Ready);
  expect(statuses).toEqual([Connecting, Connected, Ready]);
});

it('the session of a user ends at once when the client gets the token of another user', async () => {
  const { api } = await service();
  const [ana, bo] = [await plays(api, 'ana'), await plays(api, 'bo')];
  const { lobbyId } = await ana.client.CreateOrJoinLobby('tide');
  await bo.client.CreateOrJoinLobby('tide');
  const call = starts(ana, lobbyId);
  await call.is(CallStatus.Connected);
  await until(() => inCall(bo, lobbyId).length === 1);
  const statuses: ClientStatus[] = [];
  ana.client.SetStatusChangedCallback((status) => statuses.push(status));
  await ana.client.UpdateToken(Bearer, await provisionalToken(api, 'cleo'));
  expect(ana.client.GetStatus()).toBe(Reconnecting);
  await until(() => inCall(bo, lobbyId).length === 0 && ana.client.GetStatus() === Ready);
  expect(ana.client.GetCurrentUserV2()?.DisplayName()).toBe('cleo');
  expect(statuses).toEqual([Reconnecting, Ready]);
});
