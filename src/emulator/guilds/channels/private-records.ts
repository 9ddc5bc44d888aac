import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** Type numbers of private channels by the names a fixture may use. */
const privateTypes = { direct: 1, group: 3 } as const;

/** A channel between two, and one of a group. */
export const { direct: DIRECT, group: GROUP } = privateTypes;

/** A channel of no guild: of two users, or of a group. Who is in it sees it, and nobody else. */
export const privateChannels = defineRecord({
  name: 'private_channels',
  noun: 'private channel',
  key: ['id'],
  references: {
    recipients: { to: 'users', gone: 'null' },
    owner: { to: 'users', gone: 'null' },
  },
  check: ({ type, recipients, owner }) => {
    if (new Set(recipients).size < recipients.length) {
      return { path: ['recipients'], reason: 'names somebody twice' };
    }
    if (type === DIRECT && recipients.length !== 2) {
      return { path: ['recipients'], reason: 'must be two' };
    }
    if (recipients.length === 0) return { path: ['recipients'], reason: 'must be at least one' };
    if (owner !== null && !recipients.includes(owner)) {
      return { path: ['owner'], reason: 'is none of the recipients' };
    }
    return undefined;
  },
  spelled: { type: privateTypes },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, or, orNull, optional, numberOrName, many, byId } = parts;
    return table({
      id: snowflake(),
      /** 1 between two, 3 of a group. */
      type: or(numberOrName(privateTypes), privateTypes.direct),
      /** Of a group, where somebody gave it one. */
      name: orNull(text(100)),
      /** Who is in it. */
      recipients: many(text(64), MOST_RECIPIENTS),
      /** Of a group: who may take others out. */
      owner: orNull(text(64)),
      /** Id of the application whose bot made the group. */
      application: optional(snowflake()),
      /** What that calls those in it. */
      nicks: byId(text(32)),
    });
  },
});

/** How many are in a group at most, as the platform has it. */
export const MOST_RECIPIENTS = 10;

/** A channel of no guild. */
export type PrivateChannel = RowOf<typeof privateChannels>;

/** Whether a channel is one of no guild. */
export function isPrivate(channel: object): channel is PrivateChannel {
  return 'recipients' in channel;
}

/** Whether it is of two. */
export function isDirect({ type }: PrivateChannel): boolean {
  return type === DIRECT;
}

/** The other one of two; undefined in a group. */
export function otherThan(channel: PrivateChannel, userId: string): string | undefined {
  return isDirect(channel) ? channel.recipients.find((id) => id !== userId) : undefined;
}
