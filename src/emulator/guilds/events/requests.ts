import * as z from 'zod';
import {
  choice,
  clearable,
  integer,
  list,
  maybe,
  moment,
  set,
  snowflake,
  text,
  textUpTo,
} from '../../api/fields.ts';
import { dataUri } from '../../files/data-uri.ts';

// Bodies of requests that create and change events.

const days = z.nullish(set(integer(0, 6), 0, 7));

const rule = z.object({
  start: moment(),
  end: z.nullish(moment()),
  frequency: choice(0, 1, 2, 3),
  interval: maybe(integer(1, 1000)),
  by_weekday: days,
  by_n_weekday: z.nullish(list(z.object({ n: integer(1, 5), day: integer(0, 6) }), 0, 7)),
  by_month: z.nullish(set(integer(1, 12), 0, 12)),
  by_month_day: z.nullish(set(integer(1, 31), 0, 33)),
  by_year_day: z.nullish(set(integer(-1, 365), 0, 367)),
  count: z.nullish(integer(0, 2 ** 31 - 1)),
});

/** Recurrence rule in a request. */
export type RuleRequest = z.output<typeof rule>;

const common = {
  description: clearable(textUpTo(1000)),
  image: clearable(dataUri('image')),
  scheduled_end_time: clearable(moment()),
  channel_id: clearable(snowflake()),
  recurrence_rule: clearable(rule),
  entity_metadata: clearable(z.object({ location: maybe(text(1, 100)) })),
};

/** An event to create. */
export const createBody = z.object({
  name: text(1, 100),
  scheduled_start_time: moment(),
  privacy_level: choice(2),
  entity_type: choice(1, 2, 3),
  ...common,
});

/** Changes to an event: an absent field stays unchanged. */
export const updateBody = z.object({
  name: z.optional(text(1, 100)),
  scheduled_start_time: z.optional(moment()),
  privacy_level: z.optional(choice(2)),
  entity_type: z.optional(choice(1, 2, 3)),
  status: maybe(choice(1, 2, 3, 4)),
  ...common,
});

/** Changes to an event. */
export type UpdateRequest = z.output<typeof updateBody>;

/** Changes to one occurrence. */
export const exceptionBody = z.object({
  scheduled_start_time: clearable(moment()),
  scheduled_end_time: clearable(moment()),
  is_canceled: clearable(z.boolean()),
});
