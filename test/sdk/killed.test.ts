// A game goes from its own account to a linked one while the service is killed, at some moment of each step.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { randomFrom } from '../../src/faults/random.ts';
import {
  AuthenticationExternalAuthType,
  AuthorizationArgs,
  AuthorizationTokenType,
  Client,
  ClientStatus,
} from '../../src/sdk/index.ts';
import { rounds } from '../helpers/rounds.ts';
import { killableService } from './killable-service.ts';
import { APP, provisionalToken, until } from './played-game.ts';

const { Bearer } = AuthorizationTokenType;
const { DiscordBotIssuedAccessToken: Issued } = AuthenticationExternalAuthType;
const ROUNDS = rounds({ few: 1, many: 4 });
/** How long a game goes on trying (ms). */
const PATIENCE_MS = 20_000;

/** Does a step again until it is done. */
async function untilDone<T>(step: () => Promise<T>): Promise<T> {
  const late = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (Date.now() > late) throw error;
      await sleep(20);
    }
  }
}

/** Throws what a result tells. */
function must<T extends { readonly result: { Successful(): boolean; ToString(): string } }>(given: T): T {
  if (!given.result.Successful()) throw new Error(given.result.ToString());
  return given;
}

class Game {
  readonly client: Client;
  readonly #api: string;

  constructor(api: string, endpoint: string) {
    this.#api = api;
    this.client = new Client(api, 'https://web.example', { paths: [endpoint] });
    onTestFinished(() => this.client.Disconnect());
    this.client.SetHttpRequestTimeout(2000);
    this.client.SetApplicationId(APP);
  }

  /** A token of the game's own account. */
  ownToken = (): Promise<string> => provisionalToken(this.#api, 'ana');

  /** A session with a token. */
  async plays(token: string): Promise<string> {
    must(await this.client.UpdateToken(Bearer, token));
    this.client.Connect();
    await until(() =>
      [ClientStatus.Ready, ClientStatus.Disconnected].includes(this.client.GetStatus() as 0 | 3),
    );
    if (this.client.GetStatus() === ClientStatus.Ready)
      return this.client.GetCurrentUserV2()?.Username() ?? '';
    throw new Error('no session');
  }

  async lobby(): Promise<bigint> {
    if (!this.client.IsAuthenticated()) await this.plays(await this.ownToken());
    return must(await this.client.CreateOrJoinLobby('tide')).lobbyId;
  }

  /** The token of the player's own account, once it is linked. */
  async link(): Promise<string> {
    const own = await this.ownToken().catch((error: unknown) => String(error));
    const pair = this.client.CreateAuthorizationCodeVerifier();
    const args = new AuthorizationArgs();
    args.SetScopes(Client.GetDefaultCommunicationScopes());
    args.SetCodeChallenge(pair.Challenge());
    const { code, redirectUri } = must(await this.client.Authorize(args));
    // Where the answer to the first try was lost, they are linked already.
    const isLinked = own.includes('530010');
    const tokens = isLinked
      ? await this.client.GetToken(APP, code, pair.Verifier(), redirectUri)
      : await this.client.GetTokenFromProvisionalMerge(APP, code, pair.Verifier(), redirectUri, Issued, own);
    return must(tokens).accessToken;
  }
}

it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  'account linking survives a kill of the service in each of its steps (%i)',
  async (round) => {
    const bridge = await killableService();
    const { api, endpoint } = bridge;
    const random = randomFrom(round);
    const game = new Game(api, endpoint);
    const killed = async <T>(step: () => Promise<T>): Promise<T> => {
      const [done] = await Promise.all([untilDone(step), bridge.killIn(random() * 30)]);
      return done;
    };
    const own = await killed(game.ownToken);
    expect(own).not.toBe('');
    expect(await killed(async () => game.plays(await game.ownToken()))).toMatch(/^provisional_/);
    expect(await killed(() => game.lobby())).toBeGreaterThan(0n);
    const linked = await killed(() => game.link());
    expect(await killed(() => game.plays(linked))).toBe('river');
    // Killed once more: the session comes back by itself.
    await bridge.killIn(0);
    await until(() => game.client.GetStatus() === ClientStatus.Ready, PATIENCE_MS);
    expect(game.client.GetCurrentUserV2()?.Username()).toBe('river');
  },
  120_000,
);
