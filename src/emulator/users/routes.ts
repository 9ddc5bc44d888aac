import * as z from 'zod';
import { ApiError, unauthorized } from '../api/api-error.ts';
import { namedShape, text } from '../api/fields.ts';
import { bearer, bot, defineOperation, ok } from '../api/operation.ts';
import { image } from '../files/data-uri.ts';
import { ownUserAnswer, userAnswer } from './answers.ts';
import { type Connection, hasProvisionalFlag } from './records.ts';
import { ownUserShape, userShape } from './shapes.ts';

const connectionShape = namedShape('Connection', {
  id: z.string(),
  name: z.string(),
  type: z.string(),
  revoked: z.boolean(),
  integrations: z.array(z.never()),
  verified: z.boolean(),
  friend_sync: z.boolean(),
  show_activity: z.boolean(),
  two_way_link: z.boolean(),
  visibility: z.int(),
});

/** Dates from which connections of these types are no longer listed (change-log of 2026-07-07 and 2026-08-14). */
const DROPPED: { readonly [Type in Connection['type']]?: string } = {
  riotgames: '2026-07-10T00:00:00Z',
  leagueoflegends: '2026-07-10T00:00:00Z',
  battlenet: '2026-09-22T00:00:00Z',
};

function isListed({ type }: Connection, now: number): boolean {
  const day = DROPPED[type];
  return day === undefined || now < Date.parse(day);
}

function connectionAnswer(connection: Connection): z.output<typeof connectionShape> {
  const { id, name, type, verified, friend_sync, show_activity, two_way_link, visibility } = connection;
  return {
    id,
    name,
    type,
    revoked: false,
    integrations: [],
    verified,
    friend_sync,
    show_activity,
    two_way_link,
    visibility,
  };
}

/** Routes of accounts. */
export const userOperations = [
  defineOperation({
    id: 'get_my_user',
    summary: 'The user of the token, or the user of the bot.',
    route: 'GET /users/@me',
    who: [bot, bearer('identify')],
    answers: { 200: ownUserShape },
    handle: ({ caller }) =>
      // A token with the scope `identify` reads its user, with the fields that its scopes allow.
      caller.kind === 'bot'
        ? ok(ownUserAnswer(caller.user, []))
        : ok(caller.user && ownUserAnswer(caller.user, caller.effectiveScopes)),
  }),
  defineOperation({
    id: 'update_my_user',
    summary: "Changes the bot's user, or the display name of a provisional account.",
    route: 'PATCH /users/@me',
    who: [bot, bearer('identify')],
    body: z.object({
      username: z.optional(text(2, 32)),
      avatar: z.optional(z.nullable(image())),
      global_name: z.optional(text(1, 32)),
    }),
    maxBodyBytes: 4 * 1024 * 1024,
    ours: 'No source says how a game changes the display name of a provisional account: here with global_name, only for these accounts. Any other user is refused with 50001.',
    notOffered: ['banner'],
    answers: { 200: ownUserShape },
    handle: ({ caller, body: { username, avatar, global_name } }, { world }) => {
      if (caller.kind !== 'bot') {
        const user = world.tables.users.get(caller.userId);
        if (user === undefined) throw unauthorized();
        if (!hasProvisionalFlag(user) || global_name === undefined) throw new ApiError('MissingAccess');
        const renamed = world.transaction(({ users }) => users.update(user.id, { global_name }));
        return ok(ownUserAnswer(renamed, caller.effectiveScopes));
      }
      // The application and its bot may have been deleted while the body was received.
      if (!world.tables.users.has(caller.user.id)) throw unauthorized();
      const changed = world.transaction(({ users }) =>
        users.update(caller.user.id, {
          ...(username === undefined ? {} : { username }),
          ...(avatar === undefined ? {} : { avatar }),
        }),
      );
      return ok(ownUserAnswer(changed, []));
    },
  }),
  defineOperation({
    id: 'get_user',
    summary: 'A user by id.',
    route: 'GET /users/{user_id}',
    answers: { 200: userShape },
    handle: ({ params }, { world }) => {
      const user = world.tables.users.get(params.user_id);
      if (user === undefined) throw new ApiError('UnknownUser');
      return ok(userAnswer(user));
    },
  }),
  defineOperation({
    id: 'list_my_connections',
    summary: 'External accounts of the user; those of two publishers are no longer listed from a day on.',
    route: 'GET /users/@me/connections',
    who: [bot, bearer('connections')],
    answers: { 200: z.array(connectionShape) },
    handle: ({ caller }, { world, clock }) => {
      const userId = caller.kind === 'bot' ? caller.user.id : caller.userId;
      const now = clock.now();
      const listed = [...world.tables.connections.by('user', userId)].filter((one) => isListed(one, now));
      return ok(listed.map(connectionAnswer));
    },
  }),
];
