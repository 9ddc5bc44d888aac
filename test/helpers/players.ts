import { expect } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/compose/emulator-options.ts';
import { ids } from './emulator-world.ts';
import { patch } from './patched.ts';
import { type PlatformAnswer, type PlatformRequest, type TestPlatform, testPlatform } from './platform.ts';

/** Somebody who plays a game. */
export interface Player {
  readonly id: string;
  readonly ask: (what: string, request?: PlatformRequest) => Promise<PlatformAnswer>;
  /** The same, of what is refused: fails when the state is not what it was. */
  readonly refused: (what: string, request?: PlatformRequest) => Promise<PlatformAnswer>;
}

/** A platform, and people who play a game of it. */
export interface Players extends TestPlatform {
  /** A person with a token. */
  readonly person: (user: string, scopes?: readonly string[], clientId?: string) => Promise<Player>;
  /** Somebody whom only the game knows. */
  readonly provisional: (name: string, clientId?: string) => Promise<Player>;
}

const SOCIAL = ['identify', 'sdk.social_layer'];

/** Starts one, with what `change` makes of the built-in fixture and without the relationships of that. */
export async function players(change: object = {}, options: Partial<EmulatorOptions> = {}): Promise<Players> {
  const platform = await testPlatform(
    (fixture) => patch({ ...fixture, relationships: [] }, change).fixture,
    options,
  );
  const { emulator, call, bearer, bot } = platform;
  const player = (id: string, headers: { readonly authorization: string }): Player => {
    const ask: Player['ask'] = (what, request = {}) =>
      call(what, { ...request, headers: { ...headers, ...request.headers } });
    return {
      id,
      ask,
      refused: async (what, request) => {
        const before = emulator.exportState();
        const answer = await ask(what, request);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(emulator.exportState()).toBe(before);
        return answer;
      },
    };
  };
  return {
    ...platform,
    person: async (user, scopes = SOCIAL, clientId = ids.harbourExample) => {
      const { id: before } = emulator.me();
      emulator.accounts.logIn(user);
      const headers = await bearer(scopes, clientId);
      emulator.accounts.logIn(before);
      return player(user, headers);
    },
    provisional: async (name, clientId = ids.harbourExample) => {
      const { body } = await call('POST /partner-sdk/token/bot', {
        headers: bot(clientId),
        json: { external_user_id: name, preferred_global_name: name },
      });
      const headers = { authorization: `Bearer ${body.access_token}` };
      const me = await call('GET /users/@me', { headers });
      return player(me.body.id, headers);
    },
  };
}
