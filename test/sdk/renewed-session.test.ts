import { describe, expect, it } from 'vitest';
import { AuthorizationTokenType, ClientStatus } from '../../src/sdk/index.ts';
import { wasLeft } from '../../src/sdk/outcome.ts';
import { Service } from '../../src/sdk/service.ts';
import { ANA, ANA_AGAIN, CLEO, heldService } from './held-service.ts';
import { alone, until } from './played-game.ts';
import { type Peer, scriptedService } from './scripted-service.ts';

const ME = 'GET /users/@me';
const { Ready, Reconnecting, Disconnected } = ClientStatus;
const message = { id: '77', lobby_id: '9', content: 'x', author: { id: '8', username: 'eight' } };

/** A client that is ready as Ana; whose any other token is, is the test's to say. */
async function ready() {
  const held = await heldService({
    atOnce: ({ what, token }) => (what === ME && token !== ANA ? 'waits' : undefined),
  });
  const peer = await held.play(ANA);
  return { ...held, peer };
}

describe('while the client looks up the user of a new token', () => {
  it('the session still receives events, and the next connection resumes after the last of them', async () => {
    const { client, peer, peers, use, asked } = await ready();
    const heard: bigint[] = [];
    client.SetMessageCreatedCallback((id) => heard.push(id));
    await use(ANA_AGAIN);
    const whose = await asked(ME);
    peer.tell('LOBBY_MESSAGE_CREATE', message);
    peer.send({ op: 1, d: null });
    await until(() => peer.said.some(({ op }) => op === 1));
    expect([heard, client.GetStatus()]).toEqual([[77n], Reconnecting]);
    whose.answer({ id: '1', username: 'ana' });
    await until(() => client.GetStatus() === Ready);
    const seq = peer.said.find(({ op }) => op === 1)?.d;
    expect(peers.at(-1)?.said.find(({ op }) => op === 6)?.d).toMatchObject({ session_id: '1', seq });
  });

  it('a game that disconnects in its status callback causes no user look-up', async () => {
    const { client, peer, use, requested } = await ready();
    client.SetStatusChangedCallback((status) => {
      if (status === Reconnecting) void client.Disconnect();
    });
    await use(CLEO);
    await until(() => peer.isOver);
    expect([client.GetStatus(), requested(ME).length]).toEqual([Disconnected, 0]);
  });
});

it('a new token closes a session that has received no READY yet at once', async () => {
  const { api, peers } = await scriptedService({ connected: (peer) => peer.hello() });
  const client = alone(api);
  await client.UpdateToken(AuthorizationTokenType.Bearer, CLEO);
  client.Connect();
  await until(() => peers.length === 1);
  const first = peers[0] as Peer;
  await until(() => first.said.some(({ op }) => op === 2));
  const closed = new Promise((resolve) => first.socket.on('close', resolve));
  await client.UpdateToken(AuthorizationTokenType.Bearer, ANA);
  expect(await closed).toBe(1000);
  await until(() => peers[1]?.said.some(({ op }) => op === 2) === true);
});

it('a game that disconnects when its token is refused causes no further request and no expiration callback', async () => {
  const { client, peers, use, requests } = await heldService({
    atOnce: ({ what }) => (what.startsWith('GET /oauth2') ? [401, {}] : undefined),
  });
  let expired = 0;
  client.SetTokenExpirationCallback(() => {
    expired += 1;
  });
  const left = new Promise<void>((resolve) => {
    client.SetStatusChangedCallback((status, _error, detail) => {
      if (status === Disconnected && detail === 4004) void client.Disconnect().then(resolve);
    });
  });
  await use(ANA);
  client.Connect();
  await until(() => client.GetStatus() === Ready);
  const before = requests.length;
  peers[0]?.socket.close(4004);
  await left;
  // Comes behind whatever would be asked.
  await client.FetchCurrentUser(AuthorizationTokenType.Bearer, ANA);
  expect([requests.length - before, expired]).toEqual([1, 0]);
});

it('requests to the service that start after Disconnect do not keep the process of a game alive', async () => {
  const { api } = await scriptedService({ answer: () => true });
  const service = new Service({ api, timeoutMs: () => 60_000, token: () => undefined, refused: () => {} });
  const asked = service.requestAs(ANA, '/users/@me/headless-sessions', {});
  service.giveUp(wasLeft());
  await expect(asked).rejects.toThrow('The client was disconnected');
});
