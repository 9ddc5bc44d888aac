import * as z from 'zod';
import { timestamp } from '../api/fields.ts';
import { type Dispatched, defineDispatch } from '../dispatch.ts';
import { timeOf } from '../snowflake.ts';
import { userAnswer } from '../users/answers.ts';
import { userShape } from '../users/shapes.ts';
import type { Reading } from '../world.ts';

/** What a token has to allow for a game to be told of invites to it. */
const SCOPE = 'activities.invites.write';
/** Kinds of what such a message asks. */
const JOIN = 1;
const JOIN_REQUEST = 5;

interface Asked {
  readonly from: string;
  readonly to: string;
  readonly application: string;
  readonly channel: string;
  readonly message: string;
  readonly activity: { readonly type: number; readonly session_id?: string; readonly party_id?: string };
}

function* told({ users }: Reading, asked: Asked): Generator<Dispatched> {
  const author = users.get(asked.from);
  if (author === undefined) return;
  const { to, application, channel, message, activity } = asked;
  yield {
    sees: (listener) =>
      listener.kind === 'bearer' &&
      listener.user === to &&
      listener.application.id === application &&
      listener.scopes.includes(SCOPE),
    data: () => ({
      id: message,
      channel_id: channel,
      type: 0,
      content: '',
      author: userAnswer(author),
      timestamp: timestamp(timeOf(message)),
      edited_timestamp: null,
      flags: 0,
      mentions: [],
      mention_roles: [],
      mention_everyone: false,
      attachments: [],
      embeds: [],
      components: [],
      pinned: false,
      tts: false,
      application_id: application,
      activity,
    }),
  };
}

/** The party of an activity, where it has one. */
function partyOf(activity: { readonly [key: string]: unknown }): { readonly party_id?: string } {
  const id = (activity['party'] as { readonly id?: unknown } | undefined)?.id;
  return typeof id === 'string' ? { party_id: id } : {};
}

/** What the gateway tells people of invites to play. */
export const playInviteDispatches = [
  defineDispatch({
    event: 'MESSAGE_CREATE',
    summary: 'Somebody invites the person to their game (`activity.type` 1), or asks to join it (5).',
    intents: [],
    tables: ['game_invites', 'join_requests'],
    ours:
      'Every session of the person through that game is told, wherever it runs, with the scope activities.invites.write; ' +
      'none is told the secret.',
    shape: z.looseObject({
      id: z.string(),
      channel_id: z.string(),
      author: userShape,
      application_id: z.string(),
      activity: z.object({
        type: z.int(),
        party_id: z.optional(z.string()),
        session_id: z.optional(z.string()),
      }),
    }),
    *derive(commit, { world: { tables } }) {
      for (const invite of commit.of('game_invites').created) {
        const { sender, recipient, session, activity } = invite;
        const said = { type: JOIN, session_id: session, ...partyOf(activity) };
        yield* told(tables, { ...invite, from: sender, to: recipient, activity: said });
      }
      for (const request of commit.of('join_requests').created) {
        const activity = { type: JOIN_REQUEST };
        yield* told(tables, { ...request, from: request.user, to: tables.me.value, activity });
      }
    },
  }),
];
