import type { Beginning } from '../../src/emulator/interactions/new-interaction.ts';
import type { Interaction } from '../../src/emulator/interactions/records.ts';
import { type BotPlatform, botPlatform } from './bot-member.ts';
import { ids } from './emulator-world.ts';
import { APP, type PlatformAnswer } from './platform.ts';

/** A platform on which somebody uses the built-in application. */
export interface UsedPlatform extends BotPlatform {
  /** River uses `/tide` in #general unless told otherwise. */
  readonly use: (given?: Partial<Beginning>) => Interaction;
  /** Answers an interaction; `query` such as `?with_response=true`. */
  readonly answer: (interaction: Interaction, json: unknown, query?: string) => Promise<PlatformAnswer>;
  /** Asks by the token: `hook(interaction, 'PATCH', '/messages/@original', {…})`. */
  readonly hook: (
    interaction: Interaction,
    method: string,
    rest?: string,
    json?: unknown,
  ) => Promise<PlatformAnswer>;
}

/** Starts it, with what `change` makes of the built-in fixture. */
export async function usedPlatform(change: object = {}): Promise<UsedPlatform> {
  const platform = await botPlatform(change);
  const { call, emulator } = platform;
  // A busy machine takes more than 3 seconds where the clock goes on.
  emulator.clock.freeze();
  return {
    ...platform,
    use: (given) =>
      emulator.interactions.begin({
        application: APP,
        user: ids.river,
        channel: ids.general,
        type: 2,
        data: { id: '920', name: 'tide', type: 1 },
        ...given,
      }),
    answer: ({ id, token }, json, query = '') =>
      call(`POST /interactions/${id}/${token}/callback${query}`, { json }),
    hook: ({ token }, method, rest = '', json) =>
      call(`${method} /webhooks/${APP}/${token}${rest}`, json === undefined ? {} : { json }),
  };
}
