import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AuthorizationTokenType, type Client, ClientResult, ErrorType } from '../../src/sdk/index.ts';
import { asynchronous, ofCalls, ofService, ofTokens } from './entry-points.ts';
import { alone } from './played-game.ts';

const { ClientDestroyed, ClientNotReady, HTTPError, NetworkError, ValidationError } = ErrorType;

type Answer = Promise<{ readonly result: ClientResult }>;

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
}

async function withToken(api: string, timeoutMs = 10_000): Promise<Client> {
  const client = alone(api);
  await client.UpdateToken(AuthorizationTokenType.Bearer, 'a-token-of-nobody');
  client.SetHttpRequestTimeout(timeoutMs);
  return client;
}

/** The result of each, told to its callback as well, once. */
async function resultsOf(calls: typeof asynchronous, client: Client): Promise<readonly ClientResult[]> {
  const answers = Object.values(calls).map(async (call) => {
    const callback = vi.fn();
    const { result } = await (call(client, callback as never) as Answer);
    expect(callback.mock.calls.map(([first]) => first)).toEqual([result]);
    return result;
  });
  return Promise.all(answers);
}

const distinct = (results: readonly ClientResult[]): unknown[] =>
  [...new Set(results.map((result) => `${result.Type()} ${result.Status()}`))].toSorted();

describe('entry points that call the service', () => {
  it('fail with ClientNotReady without a token', async () => {
    const results = await resultsOf(ofService, alone('http://127.0.0.1:9/api'));
    expect(distinct(results)).toEqual([`${ClientNotReady} 0`]);
    expect(results.every((result) => result.Retryable() && result.Error().includes('UpdateToken'))).toBe(
      true,
    );
  });

  it('fail with ClientDestroyed after Disconnect, except for those about tokens', async () => {
    const client = await withToken('http://127.0.0.1:9/api');
    await client.Disconnect();
    const { GetToken, GetTokenFromProvisionalMerge, UpdateToken, ...others } = asynchronous;
    const needing = Object.fromEntries(
      Object.entries(others).filter(([name]) => !(name in ofTokens) && !(name in ofCalls)),
    );
    expect(distinct(await resultsOf(needing, client))).toEqual([`${ClientDestroyed} 0`]);
    for (const call of Object.values(ofCalls)) {
      const callback = vi.fn();
      const { result } = await (call(client, callback as never) as Answer);
      expect([result.Type(), callback.mock.calls]).toEqual([ClientDestroyed, [[]]]);
    }
    // Tokens are for the next Connect.
    expect(distinct(await resultsOf(ofTokens, client))).toEqual([`${NetworkError} 0`]);
    expect(distinct(await resultsOf({ UpdateToken } as typeof asynchronous, client))).toEqual(['0 0']);
    expect(
      distinct(await resultsOf({ GetToken, GetTokenFromProvisionalMerge } as typeof asynchronous, client)),
    ).toEqual([`${NetworkError} 0`]);
  });

  it.each<[string, RequestListener, unknown[]]>([
    ['is a page', (_request, response) => response.end('<html>'), [`${HTTPError} 0`]],
    ['is a number', (_request, response) => response.end('5'), [`${HTTPError} 0`]],
    ['never comes', () => {}, [`${NetworkError} 0`]],
    ['is the end of the connection', (request) => request.socket.destroy(), [`${NetworkError} 0`]],
    [
      'stops in the middle',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{');
      },
      [`${NetworkError} 0`],
    ],
    [
      'leads elsewhere',
      (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      [`${NetworkError} 0`],
    ],
    ['is 500', (_request, response) => response.writeHead(500).end(), [`${HTTPError} 500`]],
    [
      'is 401',
      (_request, response) => response.writeHead(401).end('{"message":"401: Unauthorized","code":0}'),
      [`${HTTPError} 401`],
    ],
  ])('fail with the matching error when the answer %s', async (what, answer, types) => {
    // Short where an answer is waited for in vain: a busy machine is late with those that come.
    const hangs = what === 'never comes' || what === 'stops in the middle';
    const client = await withToken(await listening(answer), hangs ? 250 : 10_000);
    const asking = Object.fromEntries(Object.entries(ofService).filter(([name]) => !NOTHING_BACK.has(name)));
    const results = await resultsOf(asking, client);
    expect(distinct(results)).toEqual(types);
    const tokens = await resultsOf(ofTokens, client);
    for (const result of tokens) expect([HTTPError, NetworkError, ErrorType.None]).toContain(result.Type());
    for (const result of [...results, ...tokens]) expect(result.Error()).not.toContain('a-token-of-nobody');
  });

  it('report the retry delay of the service', async () => {
    const client = await withToken(
      await listening((_request, response) => {
        response.statusCode = 429;
        response.end(
          JSON.stringify({ message: 'You are being rate limited.', retry_after: 1.5, global: false }),
        );
      }),
    );
    for (const result of await resultsOf(ofService, client))
      expect([result.Status(), result.Retryable(), result.RetryAfter()]).toEqual([429, true, 1.5]);
  });
});

describe('the response body of a result', () => {
  it('is the error of the service, without the token and with at most 8,192 characters', async () => {
    const said = `{"message":"Invalid Form Body","code":50035,"errors":"a-token-of-nobody","more":"${'x'.repeat(50_000)}"}`;
    const client = await withToken(
      await listening((_request, response) => response.writeHead(400).end(said)),
    );
    const hidden = said.replace('a-token-of-nobody', '[hidden]');
    for (const { result } of [
      await client.CreateOrJoinLobby('secret'),
      await client.FetchCurrentUser(AuthorizationTokenType.Bearer, 'a-token-of-nobody'),
    ]) {
      expect(result).toBeInstanceOf(ClientResult);
      expect([result.ErrorCode(), result.ResponseBody()]).toEqual([50035, hidden.slice(0, 8192)]);
    }
    const refused = await client.RefreshToken(1n, 'a-token-of-nobody');
    expect(refused.result.ResponseBody()).toBe(hidden.slice(0, 8192));
  });

  it('is empty without an answer and after a success', async () => {
    const client = await withToken('http://127.0.0.1:9/api');
    expect((await client.CreateOrJoinLobby('secret')).result.ResponseBody()).toBe('');
    expect((await client.CreateOrJoinLobby('')).result.ResponseBody()).toBe('');
    expect((await client.GetUserMessageSummaries()).result.ResponseBody()).toBe('');
  });
});

/** Whatever the service answers to these is well, if it is no error. */
const NOTHING_BACK: ReadonlySet<string> = new Set([
  'LeaveLobby',
  'DeleteUserMessage',
  ...Object.keys(ofService).filter((name) => /Friend|[Bb]lock/.test(name)),
]);

describe('entry points with an invalid id', () => {
  it.each([null, undefined, 5, -1n, 2n ** 64n, 'x', '', {}, Symbol('x')])(
    'refuse %s, and name the argument',
    async (wrong) => {
      const client = await withToken('http://127.0.0.1:9/api');
      const id = wrong as never;
      const answers = await Promise.all([
        client.LeaveLobby(id),
        client.SendLobbyMessage(id, 'x'),
        client.GetLobbyMessagesWithLimit(id, 1),
        client.SendUserMessage(id, 'x'),
        client.SendUserMessageWithMetadata(id, 'x', {}),
        client.EditUserMessage(1n, id, 'x'),
        client.DeleteUserMessage(1n, id),
        client.GetUserMessagesWithLimit(id, 1),
        client.GetGuildChannels(id),
        client.LinkChannelToLobby(1n, id),
        client.UnlinkChannelFromLobby(id),
        client.JoinLinkedLobbyGuild(id, () => {}),
        client.SendGameFriendRequestById(id),
        client.RemoveDiscordAndGameFriend(id),
        client.BlockUser(id),
        client.EndCall(id),
        client.GetProvisionalToken(id, 0, 'x'),
        client.GetDiscordClientConnectedUser(id),
      ]);
      for (const { result } of answers) {
        expect(result.Type(), result.Error()).toBe(ValidationError);
        expect(result.Error()).toMatch(/^\w+: must be /);
      }
      for (const read of [
        () => client.GetLobbyHandle(id),
        () => client.GetMessageHandle(id),
        () => client.GetChannelHandle(id),
        () => client.CanOpenMessageInDiscord(id),
        () => client.GetUser(id),
        () => client.GetRelationshipHandle(id),
        () => client.GetCall(id),
        () => client.StartCall(id),
      ])
        expect(read).toThrow(/^\w+: must be /);
    },
  );
});
