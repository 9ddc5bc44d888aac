import type { Base, Transaction } from '../api/world.ts';
import type { Observers } from '../applications/webhooks/post.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import type { HasFileStore } from '../files/store.ts';
import type { HasAutoMod } from '../guilds/automod/automod.ts';
import type { HasActivities } from './activities/activities.ts';
import type { HasInteractions } from './interactions.ts';
import type { Interaction } from './records.ts';

/** Services that these functions need. */
type Needs = Base &
  HasActivities &
  HasAutoMod &
  HasFileAddresses &
  HasFileStore &
  HasInteractions &
  Observers;

/**
 * Sends new interactions to applications over HTTP. `base` is the base URL of the API. Loads the delivery code with the
 * first interaction, because that code includes all validation of answers and most runs never need it.
 */
export function deliversInteractions(
  platform: Needs,
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
