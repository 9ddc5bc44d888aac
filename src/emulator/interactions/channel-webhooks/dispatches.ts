import * as z from 'zod';
import { defineDispatch, everyBot } from '../../api/dispatch.ts';
import { stays } from '../../guilds/dispatch-audience.ts';

/** Gateway events of channel webhooks. */
export const webhookDispatches = [
  defineDispatch({
    event: 'WEBHOOKS_UPDATE',
    summary: 'A webhook of a channel was created, changed or removed.',
    intents: ['GUILD_WEBHOOKS'],
    tables: ['channel_webhooks'],
    shape: z.object({ guild_id: z.string(), channel_id: z.string() }),
    ours: 'A webhook that moves causes an event for both channels; one that is removed with its channel causes none.',
    *derive(commit, { world: { tables } }) {
      const { created, updated, removed } = commit.of('channel_webhooks');
      const moved = updated.flatMap(({ before, after }) => [before, after]);
      const ids = new Set([...created, ...moved, ...removed].map(({ channel }) => channel));
      for (const id of ids) {
        const channel = tables.channels.get(id ?? '');
        if (channel === undefined || !stays(commit, tables, channel.guild)) continue;
        yield {
          guild: channel.guild,
          canSee: everyBot,
          data: () => ({ guild_id: channel.guild, channel_id: channel.id }),
        };
      }
    },
  }),
];
