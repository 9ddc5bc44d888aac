import { dispatchesFor } from '../api/dispatch.ts';
import type { Base } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import type { HasInteractions } from './interactions.ts';
import { interactionAnswer, interactionShape } from './payload.ts';

const defineDispatch = dispatchesFor<Base & HasFileAddresses & HasInteractions>();

/** Gateway events of interactions. */
export const interactionDispatches = [
  defineDispatch({
    event: 'INTERACTION_CREATE',
    summary: 'A user uses the application, which has 3 seconds to answer.',
    intents: [],
    tables: ['interactions'],
    shape: interactionShape,
    ours: 'Sent only to sessions of the application, and not at all where it has an `interactions_endpoint_url`.',
    *derive(commit, platform) {
      for (const interaction of commit.of('interactions').created) {
        if (interaction.by !== 'gateway') continue;
        yield {
          guild: platform.world.tables.channels.get(interaction.channel)?.guild,
          // A guild can have an application's commands without its bot, so the event does not require the bot in the
          // guild.
          anyone: true,
          canSee: ({ kind, application }) => kind === 'bot' && application.id === interaction.application,
          data: ({ base }) => interactionAnswer(platform, interaction, base),
          sameFor: ({ base }) => base,
        };
      }
    },
  }),
];
