import { describe, expect, it, onTestFinished } from 'vitest';
import type { TextSocket } from '../../src/client/text-socket.ts';
import { Link } from '../../src/sdk/gateway-link.ts';
import { AuthorizationTokenType, Client, ClientStatus, ConnectionError } from '../../src/sdk/index.ts';
import { alone, sorted, until } from './played-game.ts';
import { type Peer, scriptedService } from './scripted-service.ts';

const { Bearer } = AuthorizationTokenType;
const { Ready, Connecting, Connected, Reconnecting, Disconnected } = ClientStatus;
const A = 'a-token-of-ana';
const B = 'a-token-of-ben';
const TOO_DEEP = `${'['.repeat(5000)}${']'.repeat(5000)}`;

type Options = Parameters<typeof scriptedService>[0];

/** READY for whoever's token was presented. */
function welcome(peer: Peer, resume: string, more: object = {}): void {
  const { d } = peer.said.find(({ op }) => op === 2) ?? { d: { token: '' } };
  const name = String(d['token']).slice('Bearer a-token-of-'.length);
  peer.tell('READY', {
    session_id: `session of ${name}`,
    user: { id: name === 'ben' ? '2' : '1', username: name },
    resume_gateway_url: resume,
    lobbies: [],
    ...more,
  });
}

async function playing(options: Options = {}) {
  const service = await scriptedService(options);
  const client = alone(service.api);
  const statuses: number[] = [];
  const expired: string[] = [];
  client.SetStatusChangedCallback((status) => statuses.push(status));
  client.SetTokenExpirationCallback(() => expired.push('expired'));
  await client.UpdateToken(Bearer, A);
  const connect = async (resume = service.gateway): Promise<Peer> => {
    client.Connect();
    await until(() => service.peers.length > 0);
    const peer = service.peers[0] as Peer;
    await peer.asks(2);
    welcome(peer, resume);
    await until(() => client.GetStatus() === Ready);
    return peer;
  };
  const next = async (index: number): Promise<Peer> => {
    await until(() => service.peers.length > index);
    return service.peers[index] as Peer;
  };
  return { ...service, client, statuses, expired, connect, next };
}

const rest = (ms = 150) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the client of a hostile gateway', () => {
  it.each([
    ['a name that is no text', '{"op":0,"t":{"toString":null},"s":2,"d":{}}'],
    ['a name of the language', '{"op":0,"t":"__proto__","s":2,"d":{"__proto__":{"x":1}}}'],
    ['a number that is no number', '{"op":0,"t":"LOBBY_CREATE","s":"2","d":{"id":5}}'],
    ['an event of nothing', '{"op":0,"t":"LOBBY_MESSAGE_CREATE","s":2,"d":null}'],
  ])('continues after %s', async (_what, text) => {
    const { client, connect, statuses } = await playing();
    const peer = await connect();
    peer.send(text);
    peer.tell('LOBBY_CREATE', { id: '9' });
    await until(() => client.GetLobbyIds().includes(9n));
    expect(statuses).toEqual([Connecting, Connected, Ready]);
  });

  it.each([
    ['LOBBY_UPDATE', `{"id":"5","metadata":${TOO_DEEP}}`],
    ['LOBBY_MESSAGE_CREATE', `{"id":"5","lobby_id":"9","author":{"id":"7","username":"x","a":${TOO_DEEP}}}`],
  ])('reconnects after a %s that nests too deep', async (event, data) => {
    const { connect, next, statuses } = await playing();
    const peer = await connect();
    for (let n = 0; n < 2; n += 1) peer.send(`{"op":0,"t":"${event}","s":2,"d":${data}}`);
    expect((await (await next(1)).asks(6)).d['session_id']).toBe('session of ana');
    expect(statuses.at(-1)).toBe(Reconnecting);
  });

  it('ignores an HTTP answer that nests too deep', async () => {
    const user = `{"id":"7","type":1,"user":{"id":"7","username":"x","a":${TOO_DEEP}}}`;
    const { client, connect } = await playing({
      answer: ({ url }, response) => {
        if (url?.endsWith('relationships') !== true) return false;
        response.end(`[${user},${user}]`);
        return true;
      },
    });
    await connect();
    await rest();
    expect(client.GetRelationships()).toEqual([]);
  });

  it.each([1e10, 0, -5, 'x', null, 1.5])(
    'sends at most one heartbeat per second for an interval of %s',
    async (interval) => {
      const { connect } = await playing({ connected: (peer) => peer.hello(interval) });
      const peer = await connect();
      await rest(600);
      expect(peer.said.filter(({ op }) => op === 1)).toEqual([]);
    },
  );

  it('reports no event twice when the old connection sends it after a reconnect request', async () => {
    const { client, connect, next } = await playing();
    const told: bigint[] = [];
    client.SetMessageCreatedCallback((id) => told.push(id));
    const old = await connect();
    const say = (peer: Peer, id: number): void =>
      peer.tell('LOBBY_MESSAGE_CREATE', { id: String(id), lobby_id: '5', content: '' }, id);
    say(old, 2);
    old.send({ op: 7, d: null });
    (old.socket as unknown as { _socket: { pause(): void } })._socket.pause();
    const peer = await next(1);
    expect((await peer.asks(6)).d['seq']).toBe(2);
    old.tellLate('LOBBY_MESSAGE_CREATE', { id: '3', lobby_id: '5', content: '' }, 3);
    await rest(50);
    say(peer, 3);
    peer.tell('RESUMED', {});
    await until(() => client.GetStatus() === Ready && told.length > 1);
    await rest(50);
    expect(told).toEqual([2n, 3n]);
  });

  it('requests the gateway address again when the address for resuming is unreachable', async () => {
    let asked = 0;
    const { client, next, gateway, connect, statuses } = await playing({
      answer: ({ url }) => {
        if (url === '/api/gateway') asked += 1;
        return false;
      },
    });
    const first = await connect('ws://127.0.0.1:1');
    first.close(4000);
    const second = await next(1);
    expect((await second.asks(6)).d['session_id']).toBe('session of ana');
    second.tell('RESUMED', {});
    await until(() => client.GetStatus() === Ready);
    expect([asked, gateway.startsWith('ws://'), statuses.includes(Disconnected)]).toEqual([2, true, false]);
  });
});

describe('another token', () => {
  it('is not discarded when the service refuses the previous one, at the gateway or over HTTP', async () => {
    // The refusal is under way while the other token is given.
    const none = (): void => {};
    let refusal = none;
    const refuse: Options[] = [
      {
        connected: (peer) => {
          peer.hello();
          void peer.asks(2).then(
            ({ d }) => {
              if (d['token'] === `Bearer ${A}`) refusal = () => peer.close(4004);
            },
            () => {},
          );
        },
      },
      {
        answer: ({ url, headers }, response) => {
          if (url !== '/api/gateway' || headers.authorization !== `Bearer ${A}`) return false;
          refusal = () => void response.writeHead(401).end('{}');
          return true;
        },
      },
    ];
    for (const options of refuse) {
      const { client, expired, peers, gateway, statuses } = await playing(options);
      refusal = none;
      client.Connect();
      await until(() => refusal !== none);
      expect((await client.UpdateToken(Bearer, B)).result.ToString()).toBe('Success');
      refusal();
      await until(() => peers.some(({ said }) => said.some(({ d }) => d['token'] === `Bearer ${B}`)));
      const peer = peers.find(({ said }) => said.some(({ d }) => d['token'] === `Bearer ${B}`)) as Peer;
      welcome(peer, gateway);
      await until(() => client.GetStatus() === Ready);
      expect([client.IsAuthenticated(), expired, client.GetCurrentUserV2()?.Username()]).toEqual([
        true,
        [],
        'ben',
      ]);
      expect(statuses).not.toContain(Disconnected);
    }
  });

  it('determines the user of the session, also when it is set before READY', async () => {
    const { client, peers, gateway, next } = await playing();
    client.Connect();
    const first = await next(0);
    await first.asks(2);
    await client.UpdateToken(Bearer, B);
    const second = await next(1);
    expect((await second.asks(2)).d['token']).toBe(`Bearer ${B}`);
    welcome(first, gateway);
    welcome(second, gateway);
    await until(() => client.GetStatus() === Ready);
    expect([client.GetCurrentUserV2()?.Username(), peers.length]).toEqual(['ben', 2]);
  });

  it('of another player removes the data of the previous player', async () => {
    const { client, connect, next, gateway } = await playing({
      answer: ({ url, headers }, response) => {
        if (url?.endsWith('/relationships') !== true) return false;
        const mine = headers.authorization === `Bearer ${A}`;
        response.writeHead(mine ? 200 : 403);
        response.end(mine ? '[{"id":"9","type":1,"user":{"id":"9","username":"friend"}}]' : '{}');
        return true;
      },
    });
    const first = await connect();
    first.tell('MESSAGE_CREATE', {
      id: '77',
      channel_id: '8',
      content: 'for ana',
      author: { id: '9', username: 'f' },
    });
    await until(() => client.GetMessageHandle(77n) !== undefined && client.GetRelationships().length === 1);
    await client.UpdateToken(Bearer, B);
    const second = await next(1);
    await second.asks(6);
    second.send({ op: 9, d: false });
    const third = await next(2);
    await third.asks(2);
    welcome(third, gateway);
    await until(() => client.GetCurrentUserV2()?.Username() === 'ben');
    await rest(50);
    expect([
      client.GetMessageHandle(77n),
      (await client.GetUserMessageSummaries()).summaries,
      client.GetRelationships(),
      client.GetUser(9n),
    ]).toEqual([undefined, [], [], undefined]);
  });

  it('can be set and connected with in the callback for an expired token', async () => {
    const { client, peers, gateway, statuses, next } = await playing({
      connected: (peer) => {
        peer.hello();
        void peer.asks(2).then(
          ({ d }) => d['token'] === `Bearer ${A}` && peer.close(4004),
          () => {},
        );
      },
    });
    client.SetTokenExpirationCallback(() => {
      void client.UpdateToken(Bearer, B);
      client.Connect();
    });
    client.Connect();
    const second = await next(1);
    await second.asks(2);
    welcome(second, gateway);
    await until(() => client.GetStatus() === Ready);
    expect(peers).toHaveLength(2);
    expect(statuses).toEqual([Connecting, Connected, Disconnected, Connecting, Connected, Ready]);
  });

  it('is reported as expired once, by the service and not again by the clock', async () => {
    const { client, expired } = await playing({
      answer: ({ url }, response) => {
        if (url === '/api/oauth2/token')
          response.end('{"access_token":"short-lived","expires_in":1,"token_type":"Bearer"}');
        else if (url?.endsWith('guilds') === true) response.writeHead(401).end('{}');
        else return false;
        return true;
      },
    });
    const { accessToken } = await client.RefreshToken(client.GetApplicationId(), 'refresh');
    await client.UpdateToken(Bearer, accessToken);
    await client.GetUserGuilds();
    await rest(1200);
    expect(expired).toEqual(['expired']);
  });
});

describe('Disconnect', () => {
  it.each([
    ['Connecting', Connecting],
    ['Connected', Connected],
    ['Ready', Ready],
  ])('in the callback for %s is final', async (_name, at) => {
    const { client, peers, gateway } = await playing({
      connected: (peer) => {
        // What is under way comes nevertheless.
        peer.hello();
        void peer.asks(2).then(
          () => welcome(peer, gateway),
          () => {},
        );
      },
    });
    const statuses: number[] = [];
    client.SetStatusChangedCallback((status) => {
      statuses.push(status);
      if (status === at) void client.Disconnect();
    });
    client.Connect();
    await until(() => statuses.includes(Disconnected));
    await rest();
    expect([statuses.at(-1), client.GetStatus()]).toEqual([Disconnected, Disconnected]);
    expect(peers.every(({ isOver }) => isOver)).toBe(true);
  });

  it('in the callback of a lobby removes all lobbies, and no further event is reported', async () => {
    const { client, next, gateway } = await playing();
    const lobbies: bigint[] = [];
    client.SetLobbyCreatedCallback((id) => {
      lobbies.push(id);
      void client.Disconnect();
    });
    client.Connect();
    const peer = await next(0);
    await peer.asks(2);
    welcome(peer, gateway, { lobbies: [{ id: '5' }, { id: '6' }] });
    await until(() => client.GetStatus() === Disconnected);
    await rest(50);
    expect([lobbies, client.GetLobbyIds(), client.GetStatus()]).toEqual([[5n], [], Disconnected]);
  });
});

describe('memory', () => {
  it('holds a limited number of messages, with a limited amount of text', async () => {
    const { client, connect } = await playing();
    const peer = await connect();
    const metadata = { text: 'x'.repeat(1024 * 1024) };
    for (let id = 1; id <= 70; id += 1)
      peer.tell('LOBBY_MESSAGE_CREATE', { id: String(id), lobby_id: '5', content: '', metadata });
    // 70 MB are read, which takes half a minute on a busy machine.
    await until(() => client.GetMessageHandle(70n) !== undefined, 110_000);
    expect([client.GetMessageHandle(1n), client.GetMessageHandle(30n)?.Id()]).toEqual([undefined, 30n]);
  }, 120_000);

  it('holds no users with an invalid id, and no calls of unknown lobbies', async () => {
    const { client, connect } = await playing();
    const peer = await connect();
    peer.tell('PRESENCE_UPDATE', { user: { id: 'no id' }, status: 'online', activities: [] });
    peer.tell('LOBBY_VOICE_STATE_UPDATE', { lobby_id: '5', channel_id: '5', user_id: '1' });
    peer.tell('LOBBY_CREATE', { id: '99999999999999999999' });
    peer.tell('LOBBY_CREATE', { id: '9', members: [{ id: '1' }, { id: 'x' }, 5] });
    await until(() => client.GetLobbyIds().length > 0);
    expect([client.GetLobbyIds(), client.GetCalls()]).toEqual([[9n], []]);
    expect(client.GetLobbyHandle(9n)?.LobbyMemberIds()).toEqual([1n]);
  });

  it('holds ten thousand members that are added one by one', async () => {
    const { client, connect } = await playing();
    const peer = await connect();
    peer.tell('LOBBY_CREATE', { id: '9', members: [] });
    for (let id = 1; id <= 10_000; id += 1)
      peer.tell('LOBBY_MEMBER_ADD', { lobby_id: '9', member: { id: String(id) } });
    await until(() => client.GetLobbyHandle(9n)?.LobbyMemberIds().length === 10_000);
  });

  it('is not used for output that the service does not read', () => {
    const said: string[] = [];
    const lost: number[] = [];
    const socket = {
      readyState: 1,
      bufferedAmount: 0,
      send: (text: string) => said.push(text),
      close: () => {},
    } as unknown as TextSocket & { bufferedAmount: number };
    const link = new Link(socket, 7, {
      opened: () => {},
      receive: () => {},
      unreadable: () => {},
      lost: (code) => lost.push(code),
      timeoutMs: () => 10_000,
    });
    socket.onmessage?.({ data: '{"op":1}' });
    socket.bufferedAmount = 2 * 1024 * 1024;
    for (let n = 0; n < 3; n += 1) socket.onmessage?.({ data: '{"op":1}' });
    expect([said, lost, link.isOver]).toEqual([['{"op":1,"d":7}'], [4900], true]);
  });

  it('is not used for repeated HELLO payloads: the client identifies itself once', async () => {
    const { connect } = await playing({
      connected: (peer) => {
        for (let n = 0; n < 5; n += 1) peer.hello();
      },
    });
    const peer = await connect();
    await rest();
    expect(peer.said.filter(({ op }) => op === 2)).toHaveLength(1);
  });
});

describe('a service that rejects the game', () => {
  it.each([4010, 4014])('receives no new connection after the close code %d', async (code) => {
    const { connect, peers, statuses } = await playing();
    (await connect()).close(code);
    await until(() => statuses.at(-1) === Disconnected);
    await rest(400);
    expect(peers).toHaveLength(1);
  });

  it('receives reconnects at growing intervals when it accepts and drops each session', async () => {
    const { client, connect, peers, gateway } = await playing({
      connected: (peer, index) => {
        peer.hello();
        if (index === 0) return;
        const drop = (): void => {
          peer.tell('RESUMED', {});
          peer.send({ op: 7, d: null });
        };
        void peer.asks(6).then(drop, () => {});
      },
    });
    (await connect()).send({ op: 7, d: null });
    await rest(2500);
    // 0.1, 0.2, 0.4, 0.8 s and so on, each at least by half.
    expect(peers.length).toBeLessThan(8);
    expect(gateway).toContain('127.0.0.1');
    await client.Disconnect();
  });

  it('does not keep the process alive when it never confirms the close of a connection', async () => {
    const { client, connect } = await playing();
    const peer = await connect();
    const { _socket: line } = peer.socket as unknown as {
      readonly _socket: { pause(): void; destroyed: boolean };
    };
    line.pause();
    const handles = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = handles();
    await client.Disconnect();
    await until(() => handles() < before, 5000);
  });
});

describe('pending work', () => {
  it('may include any number of requests without a leak warning', async () => {
    const warnings: string[] = [];
    const warned = ({ name }: Error): number => warnings.push(name);
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    let asked = 0;
    const { client, connect } = await playing({
      answer: ({ url }) => {
        if (url !== '/api/lobbies') return false;
        asked += 1;
        return true;
      },
    });
    await connect();
    const all = Array.from({ length: 50 }, () => client.CreateOrJoinLobby('tide'));
    await until(() => asked === all.length);
    await client.Disconnect();
    for (const { result } of await Promise.all(all))
      expect(result.Error()).toBe('The client was disconnected');
    await rest(0);
    expect(warnings).toEqual([]);
  });

  it('ends with Disconnect, and reports nothing afterwards', async () => {
    const { client, connect } = await playing({
      answer: ({ url }, response) => {
        if (url !== '/api/lobbies' && url?.endsWith('relationships') !== true) return false;
        const answer =
          url === '/api/lobbies' ? { id: '5' } : [{ id: '9', type: 1, user: { id: '9', username: 'f' } }];
        setTimeout(() => response.end(JSON.stringify(answer)), 200);
        return true;
      },
    });
    const lobbies: bigint[] = [];
    client.SetLobbyCreatedCallback((id) => lobbies.push(id));
    await connect();
    const asked = client.CreateOrJoinLobby('tide');
    await rest(50);
    await client.Disconnect();
    const { result, lobbyId } = await asked;
    expect([result.Type(), result.Error(), lobbyId]).toEqual([5, 'The client was disconnected', 0n]);
    await rest(300);
    expect([lobbies, client.GetLobbyIds(), client.GetRelationships()]).toEqual([[], [], []]);
  });

  it('for the relationships does not overwrite changes that arrive meanwhile', async () => {
    const friend = (id: string) => ({ id, type: 1, user: { id, username: `friend ${id}` } });
    const { client, gateway, next } = await playing({
      answer: ({ url }, response) => {
        if (url?.endsWith('relationships') !== true) return false;
        const answer = url.includes('game') ? [] : [friend('8'), friend('9')];
        setTimeout(() => response.end(JSON.stringify(answer)), 200);
        return true;
      },
    });
    client.Connect();
    const peer = await next(0);
    await peer.asks(2);
    welcome(peer, gateway);
    peer.tell('RELATIONSHIP_ADD', friend('7'));
    peer.tell('RELATIONSHIP_ADD', friend('8'));
    peer.tell('RELATIONSHIP_REMOVE', { id: '8' });
    await until(() => client.GetUser(9n) !== undefined);
    expect(sorted(client.GetRelationships().map((one) => one.Id()))).toEqual([7n, 9n]);
  });

  it('does not prevent a Connect in the callback for Disconnected, which has its chat client', async () => {
    const { client, connect, next, gateway } = await playing();
    await connect();
    client.SetStatusChangedCallback((status) => status === Disconnected && client.Connect());
    await client.Disconnect();
    const second = await next(1);
    await second.asks(2);
    welcome(second, gateway);
    await until(() => client.GetStatus() === Ready);
    // Nobody is found where it is looked for, which a client that was closed would not say.
    expect((await client.GetVoiceSettings()).result.Type()).toBe(3);
    client.SetStatusChangedCallback(undefined);
  });
});

it('a Connect in the callback for a missing token causes no endless loop', async () => {
  const client = new Client('http://127.0.0.1:9/api', 'https://web.example');
  let told = 0;
  client.SetStatusChangedCallback((status, error) => {
    expect([status, error]).toEqual([Disconnected, ConnectionError.ConnectionFailed]);
    told += 1;
    if (told < 50) client.Connect();
  });
  client.Connect();
  expect(told).toBe(0);
  await until(() => told === 50);
});
