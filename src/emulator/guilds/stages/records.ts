import {
  defineRecord,
  type RecordConstraint,
  type RowOf,
  type SchemaParts,
} from '../../kernel/state/record.ts';
import { isStage } from '../channels/records.ts';

const withStage: RecordConstraint = { name: 'a stage', of: isStage };

/** A stage instance: a live stage. */
export const stageInstances = defineRecord({
  name: 'stage_instances',
  noun: 'open stage',
  about: 'stages that are open',
  key: ['channel'],
  indexes: { id: { unique: true } },
  references: {
    channel: { to: 'channels', onRemoval: 'remove', needs: withStage },
    event: { to: 'scheduled_events', onRemoval: 'null' },
  },
  schema: ({ table, snowflake, text, or, orNull, whole }: SchemaParts) =>
    table({
      channel: snowflake(),
      id: snowflake(),
      topic: text(120),
      /** Privacy level: 1 public, 2 for the guild only. */
      privacy_level: or(whole(1, 2), 2),
      /** Id of the scheduled event that the stage was started for; null for none. */
      event: orNull(snowflake()),
    }),
});

/** A stage instance. */
export type StageInstance = RowOf<typeof stageInstances>;
