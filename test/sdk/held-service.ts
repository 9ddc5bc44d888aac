import { onTestFinished } from 'vitest';
import { AuthorizationTokenType, Client, ClientStatus } from '../../src/sdk/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { APP, alone, until } from './played-game.ts';
import { type Peer, type Said, scriptedService } from './scripted-service.ts';

/** Tokens say whose they are; what stands behind the name makes another one of the same player. */
export const ANA = 'token-of-ana';
export const ANA_AGAIN = 'token-of-ana-again';
export const CLEO = 'token-of-cleo';
const IDS: Readonly<Record<string, string>> = { ana: '1', cleo: '3' };

/** The player of a token, as the service tells one. */
export function userOf(token: unknown): { readonly id: string; readonly username: string } {
  const username = /token-of-([a-z]+)/.exec(String(token))?.[1] ?? '';
  return { id: IDS[username] ?? '0', username };
}

/** A request whose answer is the test's to give, when it likes. */
interface Request {
  /** `GET /users/@me` and the like. */
  readonly what: string;
  readonly token: string;
  readonly body: Readonly<Record<string, unknown>>;
  answer(json: unknown, status?: number): void;
}

/** What is answered at once: a status, and what goes with it. */
type AtOnce = (request: Request) => readonly [status: number, json?: unknown] | 'waits' | undefined;

export interface HeldService {
  readonly client: Client;
  readonly peers: readonly Peer[];
  /** All that was asked over HTTP. */
  readonly requests: readonly Request[];
  readonly requested: (what: string) => Request[];
  /** The request of this kind with this number, counted from 0, once it is there. */
  readonly asked: (what: string, index?: number) => Promise<Request>;
  readonly use: (token: string) => Promise<void>;
  /** Has a session of whoever's token it is, and the gateway's side of it. */
  readonly play: (token: string) => Promise<Peer>;
}

const AS_ALWAYS: AtOnce = ({ what, token }) =>
  what === 'GET /users/@me' ? [200, userOf(token)] : what.endsWith('relationships') ? [200, []] : undefined;

/**
 * A service that lets everybody in whose token says who they are, and one client of it. Requests wait for the test, but those that
 * `atOnce` answers; who a player is is said at once, and that they know nobody, unless it says something else of these.
 * @param paths where the chat client is
 */
export async function heldService({
  atOnce = () => undefined,
  lobbies = [],
  paths,
}: {
  readonly atOnce?: AtOnce;
  /** With READY. */
  readonly lobbies?: readonly object[];
  readonly paths?: readonly string[];
} = {}): Promise<HeldService> {
  const requests: Request[] = [];
  const { api, peers } = await scriptedService({
    connected: (peer) => {
      peer.hello();
      peer.socket.on('message', () => greet(peer, lobbies));
    },
    answer: (asked, response) => {
      if (asked.url === '/api/gateway') return false;
      let text = '';
      asked.on('data', (chunk) => {
        text += String(chunk);
      });
      asked.on('end', () => {
        const isJson = asked.headers['content-type']?.includes('json') === true;
        const request: Request = {
          what: `${asked.method} ${asked.url?.slice('/api'.length)}`,
          token: asked.headers.authorization?.slice('Bearer '.length) ?? '',
          body: isJson ? JSON.parse(text) : {},
          answer: (json, status = 200) => {
            response.writeHead(status).end(json === undefined ? '' : JSON.stringify(json));
          },
        };
        requests.push(request);
        const given = atOnce(request) ?? AS_ALWAYS(request) ?? 'waits';
        if (given !== 'waits') request.answer(given[1], given[0]);
      });
      return true;
    },
  });
  const client = paths === undefined ? alone(api) : beside(api, paths);
  const requested = (what: string): Request[] => requests.filter((one) => one.what === what);
  const use = async (token: string): Promise<void> => {
    await client.UpdateToken(AuthorizationTokenType.Bearer, token);
  };
  return {
    client,
    peers,
    requests,
    requested,
    asked: (what, index = 0) =>
      eventually(() => {
        const request = requested(what)[index];
        if (request === undefined) throw new Error(`nobody asked for ${what} [${index}]`);
        return request;
      }),
    use,
    play: async (token) => {
      await use(token);
      client.Connect();
      const me = BigInt(userOf(token).id);
      await until(() => client.GetStatus() === ClientStatus.Ready && client.GetCurrentUserV2()?.Id() === me);
      return peers.at(-1) as Peer;
    },
  };
}

function beside(api: string, paths: readonly string[]): Client {
  const client = new Client(api, 'https://web.example', { paths });
  onTestFinished(() => client.Disconnect());
  client.SetApplicationId(APP);
  return client;
}

/** Begins a session, or goes on with one where it is the same player's. */
function greet(peer: Peer, lobbies: readonly object[]): void {
  const { op, d } = peer.said.at(-1) as Said;
  const user = userOf(d?.['token']);
  if (op === 2) peer.tell('READY', { session_id: user.id, user, lobbies });
  if (op !== 6) return;
  if (d['session_id'] === user.id) peer.tell('RESUMED', {});
  else peer.send({ op: 9, d: false });
}
