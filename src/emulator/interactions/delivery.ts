import type { Transaction } from '../api/world.ts';
import type { Delivering } from './endpoint.ts';
import type { Interaction } from './records.ts';

/**
 * Sends new interactions to applications over HTTP. `base` is the base URL of the API. Loads the delivery code with the
 * first interaction, because that code includes all validation of answers and most runs never need it.
 */
export function deliversInteractions(
  platform: Delivering,
  base: () => string,
): (transaction: Transaction) => void {
  const deliver = async (interaction: Interaction): Promise<void> => {
    try {
      const endpoint = await import('./endpoint.ts');
      await endpoint.deliver(platform, interaction, base());
    } catch (error) {
      platform.interactions.fail(interaction.id, `it could not be delivered: ${(error as Error).message}`);
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
