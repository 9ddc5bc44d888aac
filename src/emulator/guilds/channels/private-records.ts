import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** Type numbers of private channels, by the names that a fixture may use. */
const privateTypes = { direct: 1, group: 3 } as const;

/** Type numbers of a direct channel (`DIRECT`) and of a group (`GROUP`). */
export const { direct: DIRECT, group: GROUP } = privateTypes;

/** A channel without a guild: of two users, or of a group. Only its members see it. */
export const privateChannels = defineRecord({
  name: 'private_channels',
  noun: 'private channel',
  about: 'channels of no guild: `type` is direct (default) or group',
  key: ['id'],
  references: {
    recipients: { to: 'users', onRemoval: 'null' },
    owner: { to: 'users', onRemoval: 'null' },
  },
  check: ({ type, recipients, owner }) => {
    if (new Set(recipients).size < recipients.length) {
      return { path: ['recipients'], reason: 'names a user twice' };
    }
    if (type === DIRECT && recipients.length !== 2) return { path: ['recipients'], reason: 'must be two' };
    if (recipients.length === 0) return { path: ['recipients'], reason: 'must be at least one' };
    if (owner !== null && !recipients.includes(owner)) {
      return { path: ['owner'], reason: 'is none of the recipients' };
    }
    return undefined;
  },
  printedForms: { type: privateTypes },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, or, orNull, optional, numberOrName, many, byId } = parts;
    return table({
      id: snowflake(),
      /** 1 between two, 3 of a group. */
      type: or(numberOrName(privateTypes), privateTypes.direct),
      /** Name of a group; null for a group without a name. */
      name: orNull(text(100)),
      /** Ids of its members. */
      recipients: many(text(64), MAX_RECIPIENTS),
      /** Id of the group's owner, who may remove other members. */
      owner: orNull(text(64)),
      /** Id of the application whose bot made the group. */
      application: optional(snowflake()),
      /** Nicknames that the application has given to members, by user id. */
      nicks: byId(text(32)),
    });
  },
});

/** Maximum number of members of a group, as on the platform. */
export const MAX_RECIPIENTS = 10;

/** A channel without a guild. */
export type PrivateChannel = RowOf<typeof privateChannels>;

/** Whether a channel is private. */
export function isPrivate(channel: object): channel is PrivateChannel {
  return 'recipients' in channel;
}

/** Whether a private channel is a direct one. */
export function isDirect({ type }: PrivateChannel): boolean {
  return type === DIRECT;
}

/** The other member of a direct channel; undefined in a group. */
export function otherThan(channel: PrivateChannel, userId: string): string | undefined {
  return isDirect(channel) ? channel.recipients.find((id) => id !== userId) : undefined;
}
