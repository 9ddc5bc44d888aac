import { namesOf } from '../../kernel/permission-bits.ts';
import { defineRecord, type SchemaParts } from '../../kernel/state/record.ts';
import { ofGuildOfChannel } from '../relation-records.ts';

const spelled = (bits: string) => namesOf(BigInt(bits));

/** Permissions that a channel allows and denies to a role. */
export const roleOverwrites = defineRecord({
  name: 'role_overwrites',
  noun: 'overwrite for a role',
  about: 'what is allowed and denied to a role in a channel',
  key: ['channel', 'role'],
  within: { kind: 'channels', as: 'role_overwrites', field: 'channel' },
  references: { role: { to: 'roles', onRemoval: 'remove', relationCheck: ofGuildOfChannel } },
  printedForms: { allow: spelled, deny: spelled },
  schema: ({ table, snowflake, permissions }: SchemaParts) =>
    table({ role: snowflake(), allow: permissions('0'), deny: permissions('0') }),
});

/** Permissions that a channel allows and denies to a user. */
export const userOverwrites = defineRecord({
  name: 'user_overwrites',
  noun: 'overwrite for a user',
  about: 'what is allowed and denied to a user in a channel',
  key: ['channel', 'user'],
  within: { kind: 'channels', as: 'user_overwrites', field: 'channel' },
  references: { user: { to: 'users', onRemoval: 'remove' } },
  printedForms: { allow: spelled, deny: spelled },
  schema: ({ table, text, permissions }: SchemaParts) =>
    table({ user: text(64), allow: permissions('0'), deny: permissions('0') }),
});
