import * as z from 'zod';
import { namedShape, timestamp } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import { lastMessageOf } from './deleted-messages.ts';
import { isDirect, type PrivateChannel } from './private-records.ts';

const shared = {
  id: z.string(),
  type: z.int(),
  last_message_id: z.optional(z.nullable(z.string())),
  last_pin_timestamp: z.optional(z.nullable(z.string())),
  flags: z.int(),
  recipients: z.array(userShape),
};

/** A group, for its members. */
const groupShape = namedShape('PrivateGroupChannel', {
  ...shared,
  name: z.nullable(z.string()),
  icon: z.nullable(z.string()),
  owner_id: z.string(),
  managed: z.optional(z.boolean()),
  application_id: z.optional(z.string()),
});

/** A private channel, as its members see it. */
export const privateChannelShape = z.union([groupShape, namedShape('PrivateChannel', shared)]);

/** A private channel, as one of its members sees it: that member is not among the listed recipients. */
export function privateChannelAnswer(
  tables: Reading,
  channel: PrivateChannel,
  userId: string,
): z.output<typeof privateChannelShape> {
  const { id, type, name, recipients, owner, application } = channel;
  const { messages, users } = tables;
  const pins = [...messages.by('pinned', id)].map((one) => Date.parse(one.pinned_at ?? one.timestamp));
  const answer = {
    id,
    type,
    flags: 0,
    last_message_id: lastMessageOf(tables, id),
    last_pin_timestamp: pins.length === 0 ? null : timestamp(Math.max(...pins)),
    recipients: recipients.flatMap((one) => {
      const user = one === userId ? undefined : users.get(one);
      return user === undefined ? [] : [userAnswer(user)];
    }),
  };
  if (isDirect(channel)) return answer;
  return {
    ...answer,
    name,
    icon: null,
    owner_id: owner ?? '0',
    ...(application === undefined ? {} : { managed: true, application_id: application }),
  };
}
