import { boundOperations } from '../../src/base/admin-operation.ts';
import type { Operations, PlayedInteraction } from '../../src/control/generated.ts';
import { callOperation } from '../../src/control/routes.ts';
import { interactionOperations } from '../../src/emulator/interactions/player/operations.ts';
import type { Interaction } from '../../src/emulator/interactions/records.ts';
import { type BotPlatform, botPlatform } from './bot-member.ts';
import { expectDeclared } from './declared-result.ts';
import { listen } from './gateway-listener.ts';

/** What an application answers: the body of a callback, or several requests one after the other. */
export type Answering = (
  interaction: Interaction,
  platform: BotPlatform,
) => object | Promise<void> | undefined;

type Playing = Extract<keyof Operations, `interaction.${string}`>;

/** A platform with the bot of the built-in application, and a person who uses it. */
export interface PlayedPlatform extends BotPlatform {
  /** Runs an operation; the application answers as told, and where it is told nothing not at all. */
  readonly play: (name: Playing, args: object, answering?: Answering) => Promise<PlayedInteraction>;
  /** What the application was told last. */
  readonly last: () => Interaction | undefined;
}

/** Starts it; `change` patches the built-in fixture. */
export async function playedPlatform(change: object = {}): Promise<PlayedPlatform> {
  const platform = await botPlatform(change);
  await listen(platform.emulator);
  const operations = boundOperations(interactionOperations, platform.emulator);
  const last = (): Interaction | undefined => [...platform.emulator.tables.interactions].at(-1);
  return {
    ...platform,
    last,
    play: async (name, args, answering) => {
      const before = last()?.id;
      const played = callOperation({ operations, mayAllow: () => undefined }, name, args, { via: 'control' });
      const settled = played.then(
        () => true,
        () => true,
      );
      const isRefused = (): Promise<boolean> =>
        Promise.race([settled, new Promise<false>((resolve) => setTimeout(() => resolve(false), 5))]);
      while (last()?.id === before && !(await isRefused()));
      const interaction = last();
      if (answering !== undefined && interaction !== undefined && interaction.id !== before) {
        const said = answering(interaction, platform);
        if (said !== undefined && !(said instanceof Promise)) {
          const { status, body } = await answer(platform, interaction, said);
          if (status !== 204) throw new Error(`the answer is refused: ${status} ${JSON.stringify(body)}`);
        } else await said;
      }
      const result = await played;
      expectDeclared(name, result);
      return result as PlayedInteraction;
    },
  };
}

/** Answers an interaction as its application does. */
export function answer(platform: BotPlatform, { id, token }: Interaction, json: object) {
  return platform.call(`POST /interactions/${id}/${token}/callback`, { json });
}
