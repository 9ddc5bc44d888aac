import * as z from 'zod';
import { namedShape } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import type { StageInstance } from './records.ts';

/** A stage instance. */
export const stageShape = namedShape('StageInstance', {
  id: z.string(),
  guild_id: z.string(),
  channel_id: z.string(),
  topic: z.string(),
  privacy_level: z.int(),
  discoverable_disabled: z.literal(true),
  guild_scheduled_event_id: z.nullable(z.string()),
});

/** A stage instance, as members of the guild see it. */
export function stageAnswer(
  { channels }: { readonly channels: Pick<Reading['channels'], 'get'> },
  { id, channel, topic, privacy_level, event }: StageInstance,
): z.output<typeof stageShape> {
  return {
    id,
    guild_id: channels.get(channel)?.guild ?? '0',
    channel_id: channel,
    topic,
    privacy_level,
    discoverable_disabled: true,
    guild_scheduled_event_id: event,
  };
}
