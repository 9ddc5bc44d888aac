import * as z from 'zod';
import { notFound } from '../../api/api-error.ts';
import { namedShape } from '../../api/fields.ts';
import { ok, operationsFor } from '../../api/operation.ts';
import { checkOwn } from '../../api/own-application.ts';
import type { Base } from '../../api/world.ts';
import type { HasActivities } from './activities.ts';
import { type ActivityInstance, locationId } from './records.ts';

const defineOperation = operationsFor<Base & HasActivities>();

const instanceShape = namedShape('ActivityInstance', {
  application_id: z.string(),
  instance_id: z.string(),
  launch_id: z.string(),
  location: z.union([
    z.object({ id: z.string(), kind: z.literal('gc'), channel_id: z.string(), guild_id: z.string() }),
    z.object({ id: z.string(), kind: z.literal('pc'), channel_id: z.string() }),
  ]),
  users: z.array(z.string()),
});

function answer({ activities }: HasActivities, instance: ActivityInstance): z.output<typeof instanceShape> {
  const { id, application, launch, guild, channel } = instance;
  const common = { id: locationId(instance), channel_id: channel };
  return {
    application_id: application,
    instance_id: id,
    launch_id: launch,
    location: guild === null ? { ...common, kind: 'pc' } : { ...common, kind: 'gc', guild_id: guild },
    users: [...activities.users(instance)],
  };
}

/** The routes of activities. */
export const activityOperations = [
  defineOperation({
    id: 'applications_get_activity_instance',
    summary: 'A running activity and its users.',
    route: 'GET /applications/{application_id}/activity-instances/{instance_id}',
    answers: { 200: instanceShape },
    ours: 'No source documents the code for an instance that has ended or never existed: 404 with code 0.',
    handle: ({ caller, params }, platform) => {
      checkOwn(caller, params.application_id);
      const instance = platform.activities.instance(params.application_id, params.instance_id);
      if (instance === undefined) throw notFound();
      return ok(answer(platform, instance));
    },
  }),
];
