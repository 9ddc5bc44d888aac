import * as z from 'zod';
import { storedFields } from '../../../base/saves.ts';
import type { Lookup } from '../../api/lookup.ts';
import { nameArg, operatorOperationsFor, USER_ARG, userResult } from '../../api/operator.ts';
import { parseMoment } from '../../kernel/time-text.ts';
import type { Bans } from './bans.ts';
import type { Ending, Links } from './links.ts';

const operation = operatorOperationsFor<{
  readonly bans: Pick<Bans, 'unban'>;
  readonly links: Pick<Links, 'ban' | 'end'>;
}>();

/** Result of an operation: the user, the ended links, and whether a restart keeps them ended. */
const ended = {
  user: userResult,
  applications: () => z.array(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  /** The external identities that were linked, each with its new account. */
  identities: () =>
    z.array(z.looseObject({ external_user_id: z.string(), user: z.string(), status: z.string() })),
};
const endedResult = () =>
  z.object({
    user: ended.user(),
    applications: ended.applications(),
    identities: ended.identities(),
    ...storedFields(z.boolean, z.string),
    comesBack: z.optional(z.boolean()),
  });

type Ended = z.output<ReturnType<typeof endedResult>>;

function endedView(lookup: Lookup, userId: string, { applications, identities, saved }: Ending): Ended {
  return {
    user: lookup.namedUser(userId),
    applications: applications.map((id) => ({ id, name: lookup.applicationName(id) })),
    identities: identities.map((identity) => ({ ...identity })),
    ...saved,
  };
}

/** Text that names the ended links and the new accounts, such as ` Harbour Example has no token of theirs any more.` */
function whatEnded({ applications, identities }: EndedSummary): string {
  const names = applications.map(({ id, name }) => name ?? id).join(', ');
  const verb = applications.length === 1 ? 'has' : 'have';
  const tokens =
    names === '' ? 'No application had a token of theirs.' : `${names} ${verb} no token of theirs any more.`;
  const accounts = identities.map(
    ({ external_user_id: id, user, status }) => ` The identity ${id} has the new ${status} account ${user}.`,
  );
  return ` ${tokens}${accounts.join('')}`;
}

type EndedSummary = Readonly<Omit<Ended, 'applications' | 'identities'>> & {
  readonly applications: readonly Ended['applications'][number][];
  readonly identities: readonly Pick<Ended['identities'][number], 'external_user_id' | 'user' | 'status'>[];
};

const END_DETAILS = [
  'Tokens and grants are deleted at once, a refresh answers invalid_grant, RPC sessions are closed with 4003, and the application is',
  'notified by APPLICATION_DEAUTHORIZED. A linked external identity gets a new provisional account.',
];
const APP = { name: 'APP', help: 'id or exact name', completes: 'applications' } as const;

/** Declares an operation that ends the link of one user with one application. */
function linkEnd<const Name extends string>(
  name: Name,
  command: string,
  summary: string,
  example: readonly [line: string, use: string],
) {
  return operation({
    name,
    summary,
    args: () => z.object({ user: nameArg(), app: nameArg() }),
    result: endedResult,
    command: {
      name: command,
      syntax: { user: USER_ARG, app: APP },
      details: END_DETAILS,
      examples: [example],
      resultText: (answer) => `${answer.user.username} is linked no longer.${whatEnded(answer)}`,
    },
    run: async ({ links, lookup }, { user, app }) => {
      const { id } = lookup.user(user);
      return endedView(lookup, id, await links.end(id, lookup.application(app).id));
    },
  });
}

/** Operations that end the links of users with applications. */
export const banOperations = [
  operation({
    name: 'user.ban',
    summary: 'Ban a user from the platform: every link of theirs with an application ends',
    about:
      '`until` is in ISO 8601; default: permanent. The result lists the applications that lost their tokens.',
    args: () => z.object({ user: nameArg(), until: z.optional(z.string().check(z.maxLength(100))) }),
    result: () => z.object({ ...endedResult().shape, until: z.nullable(z.string()) }),
    command: {
      name: 'ban',
      summary: 'Ban a user from the platform, which ends their links with every application',
      syntax: {
        user: USER_ARG,
        until: {
          option: 'until',
          name: 'TIME',
          help: 'ISO 8601 with a zone, or a day, by the emulator clock; for good unless given',
        },
      },
      details: [
        ...END_DETAILS,
        'That account is restricted: merging it answers 530017 until the ban lifts, by the clock or by hand.',
      ],
      examples: [
        ['ban heron', 'For good, or until "emulator unban"'],
        ['ban heron --until 2080-01-31T12:00:00Z', 'Until then, by the clock of the emulator'],
      ],
      resultText: (answer) => {
        const end = answer.until === null ? 'for good' : `until ${answer.until}`;
        return `${answer.user.username} is banned ${end}.${whatEnded(answer)}`;
      },
    },
    run: async ({ links, lookup }, { user, until }) => {
      const { id } = lookup.user(user);
      const moment = until === undefined ? null : parseMoment(until, 'until');
      const ending = await links.ban(id, moment);
      return {
        ...endedView(lookup, id, ending),
        until: moment === null ? null : new Date(moment).toISOString(),
      };
    },
  }),
  operation({
    name: 'user.unban',
    summary: 'Lift the ban of a user; no link is restored',
    args: () => z.object({ user: nameArg() }),
    result: () => z.object({ user: userResult() }),
    command: {
      name: 'unban',
      syntax: { user: USER_ARG },
      examples: [['unban heron', 'Their new accounts can be merged again']],
      resultText: (answer) => `${answer.user.username} is banned no longer.`,
    },
    run: ({ bans, lookup }, { user }) => {
      const { id } = lookup.user(user);
      bans.unban(id);
      return { user: lookup.namedUser(id) };
    },
  }),
  linkEnd('user.unlink', 'unlink', 'Unlink a user from an application, as the application itself can', [
    "unlink river 'Harbour Example'",
    'As if the game had unmerged the account',
  ]),
  linkEnd('user.remove-app', 'remove-app', 'Have a user remove an application in their settings', [
    "remove-app river 'Harbour Example'",
    'As if they had pressed the button',
  ]),
] as const;
