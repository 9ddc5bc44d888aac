import { invalidField } from '../../api/api-error.ts';
import type { Base } from '../../api/world.ts';
import type { HasActivities, Launch } from './activities.ts';
import type { ActivityInstance } from './records.ts';

/** Services that these functions need. */
type Needs = Base & HasActivities;

/**
 * Launches the application's activity as the answer to an interaction. @throws ApiError 50035 when the application has
 * no activity.
 */
export function launchFor({ activities }: Needs, launch: Launch): ActivityInstance {
  if (!activities.isActivity(launch.application)) {
    const message = 'This application has no activity: nothing is mapped to its path /';
    throw invalidField(['type'], 'BASE_TYPE_CHOICES', message);
  }
  return activities.launch(launch);
}
