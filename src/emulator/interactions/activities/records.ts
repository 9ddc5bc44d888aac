import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import { isProxied, readPrefix } from './mapping.ts';

/**
 * Mapping of a path prefix of an application's activity to a target. The mapping of `/` leads to the page, so an
 * application with this mapping is an activity.
 */
export const urlMappings = defineRecord({
  name: 'url_mappings',
  noun: 'URL mapping',
  about:
    "where a path of an application's activity leads: `prefix` (`/`, `/api`), `target` on this machine (`127.0.0.1:5173`, `http://localhost:3000/base`)",
  key: ['application', 'prefix'],
  indexes: { application: {} },
  schema: ({ table, snowflake, textThat }: SchemaParts) =>
    table({
      application: snowflake(),
      prefix: textThat(
        (text) => readPrefix(text) !== undefined,
        255,
        'must be a path such as / or /api, without "/" at its end, query, braces or "..", and not below /.proxy or /.footbridge',
      ),
      /** Always on this machine. */
      target: textThat(
        isProxied,
        2048,
        'must be on this machine, such as 127.0.0.1:5173 or http://localhost:3000/api, without query and fragment',
      ),
    }),
});

/** An activity that runs in a channel. It ends when its last user leaves. */
export const activityInstances = defineRecord({
  name: 'activity_instances',
  noun: 'instance of an activity',
  key: ['id'],
  transient: true,
  indexes: { application: {} },
  references: { channel: { to: 'channels', or: 'private_channels', onRemoval: 'remove' } },
  schema: ({ table, anyText, orNull }: SchemaParts) =>
    table({
      id: anyText(),
      application: anyText(),
      /** Id of the launch that created the instance. */
      launch: anyText(),
      channel: anyText(),
      /** Null in a private channel. */
      guild: orNull(anyText()),
    }),
});

/** A user in an instance. */
export const activityUsers = defineRecord({
  name: 'activity_users',
  noun: 'user of an activity',
  key: ['instance', 'user'],
  transient: true,
  references: {
    instance: { to: 'activity_instances', onRemoval: 'remove' },
    user: { to: 'users', onRemoval: 'remove' },
  },
  schema: ({ table, anyText }: SchemaParts) => table({ instance: anyText(), user: anyText() }),
});

/** An activity that runs in a channel. */
export type ActivityInstance = RowOf<typeof activityInstances>;

/** Id of an instance's location. */
export function locationId({ guild, channel }: Pick<ActivityInstance, 'guild' | 'channel'>): string {
  return guild === null ? `pc-${channel}` : `gc-${guild}-${channel}`;
}
