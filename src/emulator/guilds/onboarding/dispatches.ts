import * as z from 'zod';
import { type Dispatched, defineDispatch } from '../../api/dispatch.ts';
import type { Base, Committed } from '../../api/world.ts';
import { botsWith, stays } from '../dispatch-audience.ts';
import { requestAnswer, requestShape } from './join-request-answers.ts';
import type { GuildJoinRequest } from './records.ts';

const REQUESTS = { intents: ['GUILD_MODERATION'], tables: ['guild_join_requests'] } as const;
const eventShape = z.object({ guild_id: z.string(), status: z.string(), request: requestShape });

/** Events about requests, to the bots that may kick others. */
function* dispatched(
  commit: Committed,
  platform: Base,
  requests: Iterable<GuildJoinRequest>,
  data: (request: GuildJoinRequest) => object,
): Generator<Dispatched> {
  for (const request of requests) {
    const { guild } = request;
    if (!stays(commit, platform.world.tables, guild)) continue;
    yield { guild, canSee: botsWith(platform, guild, 'KICK_MEMBERS'), data: () => data(request) };
  }
}

const whole =
  ({ world: { tables } }: Base) =>
  (request: GuildJoinRequest): z.output<typeof eventShape> => ({
    guild_id: request.guild,
    status: request.status,
    request: requestAnswer(tables, request),
  });

/** Gateway events of join requests. */
export const joinRequestDispatches = [
  defineDispatch({
    ...REQUESTS,
    event: 'GUILD_JOIN_REQUEST_CREATE',
    summary: 'A user asks to join a guild; sent to bots that may kick members.',
    shape: eventShape,
    ours: 'Also sent for a request that its user has started and not submitted.',
    derive: (commit, platform) =>
      dispatched(commit, platform, commit.of('guild_join_requests').created, whole(platform)),
  }),
  defineDispatch({
    ...REQUESTS,
    event: 'GUILD_JOIN_REQUEST_UPDATE',
    summary: 'A join request was submitted, approved or rejected; sent to bots that may kick members.',
    shape: eventShape,
    *derive(commit, platform) {
      const updated = commit.of('guild_join_requests').updated.map(({ after }) => after);
      yield* dispatched(commit, platform, updated, whole(platform));
    },
  }),
  defineDispatch({
    ...REQUESTS,
    event: 'GUILD_JOIN_REQUEST_DELETE',
    summary: 'A join request was withdrawn; sent to bots that may kick members.',
    shape: z.object({ id: z.string(), guild_id: z.string(), user_id: z.string() }),
    derive: (commit, platform) =>
      dispatched(commit, platform, commit.of('guild_join_requests').removed, ({ id, guild, user }) => ({
        id,
        guild_id: guild,
        user_id: user,
      })),
  }),
];
