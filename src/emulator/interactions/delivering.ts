import type { Platform } from '../platform.ts';
import type { Transaction } from '../world.ts';
import type { Interaction } from './records.ts';

/**
 * Tells applications over HTTP of the interactions that begin. `base` is the address of the API. What they are told with is
 * loaded for the first of them: it knows all that an answer may hold, and most bridges never need it.
 */
export function deliversInteractions(
  platform: Platform,
  base: () => string,
): (transaction: Transaction) => void {
  const deliver = async (interaction: Interaction): Promise<void> => {
    try {
      const endpoint = await import('./endpoint.ts');
      await endpoint.deliver(platform, interaction, base());
    } catch (error) {
      platform.interactions.fail(interaction.id, `it could not be told of: ${(error as Error).message}`);
    }
  };
  return ({ events }) => {
    for (const event of events) {
      if (event.table !== 'interactions' || event.kind !== 'created') continue;
      const interaction = event.after as Interaction;
      if (interaction.by === 'webhook') void deliver(interaction);
    }
  };
}
