import * as z from 'zod';
import { defineDispatch } from '../../api/dispatch.ts';
import { stays } from '../../guilds/told.ts';

/** What is told of the webhooks of channels. */
export const webhookDispatches = [
  defineDispatch({
    event: 'WEBHOOKS_UPDATE',
    summary: 'A webhook of a channel is made, changed or gone.',
    intents: ['GUILD_WEBHOOKS'],
    tables: ['channel_webhooks'],
    shape: z.object({ guild_id: z.string(), channel_id: z.string() }),
    ours: 'Of a webhook that moves both channels are told, of one that goes with its channel none.',
    *derive(commit, { world: { tables } }) {
      const { created, updated, removed } = commit.of('channel_webhooks');
      const moved = updated.flatMap(({ before, after }) => [before, after]);
      const ids = new Set([...created, ...moved, ...removed].map(({ channel }) => channel));
      for (const id of ids) {
        const channel = tables.channels.get(id ?? '');
        if (channel === undefined || !stays(commit, tables, channel.guild)) continue;
        yield {
          guild: channel.guild,
          data: () => ({ guild_id: channel.guild, channel_id: channel.id }),
        };
      }
    },
  }),
];
