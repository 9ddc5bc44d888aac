import type { NamedTables, RelationCheck } from '../kernel/state/record.ts';

interface OfGuild {
  readonly guild: string;
}

const errorText = 'of another guild';

/** A record of a guild may refer only to records of the same guild. */
export const ofItsGuild: RelationCheck = {
  errorText,
  of: (record: OfGuild, target: OfGuild) => record.guild === target.guild,
};

/** A record of a channel may refer only to records of the channel's guild. */
export const ofGuildOfChannel: RelationCheck = {
  errorText,
  of: ({ channel }: { readonly channel: string }, target: OfGuild, { channels }: NamedTables) =>
    (channels?.get(channel) as OfGuild | undefined)?.guild === target.guild,
};
