import {
  defineRecord,
  type RecordConstraint,
  type RowOf,
  type SchemaParts,
} from '../../kernel/state/record.ts';
import { isThread } from '../channels/records.ts';

const asThread: RecordConstraint = { name: 'members of its own', of: isThread };

/** Membership of a user in a thread. */
export const threadMembers = defineRecord({
  name: 'thread_members',
  noun: 'member of a thread',
  about: 'who is in a thread',
  key: ['thread', 'user'],
  references: {
    thread: { to: 'channels', onRemoval: 'remove', needs: asThread },
    user: { to: 'users', onRemoval: 'remove', defaultsToMe: true },
  },
  schema: ({ table, snowflake, userOrMe, moment }: SchemaParts) =>
    table({ thread: snowflake(), user: userOrMe(), joined_at: moment() }),
});

/** Membership of a user in a thread. */
export type ThreadMember = RowOf<typeof threadMembers>;
