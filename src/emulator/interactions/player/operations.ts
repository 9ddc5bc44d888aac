import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import {
  asOption,
  nameArg,
  noArgs,
  operatorOperationsFor,
  REVISION_TEXT,
  revisionArg,
} from '../../api/operator.ts';
import { type InputFile, inputFile, MAX_FILES_REQUEST_BYTES } from '../../files/input-files.ts';
import type { Interactions } from '../interactions.ts';
import type { Interaction } from '../records.ts';
import type { Filled } from './input-values.ts';
import { interactionResult } from './interaction-result.ts';
import type { UserActions } from './user-actions.ts';

interface Needs {
  readonly userActions: UserActions;
  readonly interactions: Pick<Interactions, 'fail' | 'settled' | 'finished'>;
  /** Whether the application has a gateway session that receives interactions. */
  readonly gateway: { hasReceiver(application: string): boolean };
}

const operation = operatorOperationsFor<Needs>();

/**
 * Timeout for the first answer in machine time: longer than the application's 3 seconds, because the emulator's clock
 * may stand still.
 */
const FIRST_ANSWER_MS = 5_000;
const NO_SESSION = 'its bot has no gateway session, so nobody received it';
/** Longest wait for the result of an interaction (s): the lifetime of its token. */
const MAX_WAIT_S = 15 * 60;

const text = () => z.string().check(z.maxLength(6000));
const values = () =>
  z.record(nameArg(), z.union([text(), z.number(), z.boolean(), z.array(text()).check(z.maxLength(25))]));
const files = () => z.record(nameArg(), z.union([inputFile(), z.array(inputFile()).check(z.maxLength(10))]));
const wait = () => z.optional(z.number().check(z.gte(0), z.lte(MAX_WAIT_S)));

const used = () => ({
  app: nameArg(),
  command: nameArg(),
  user: z.optional(nameArg()),
  channel: z.optional(nameArg()),
});

/**
 * Actions of a user with applications. Each action returns its result after the application's first answer. All throw
 * SettingError for actions that the client does not offer. Users, applications and channels are named by id or name.
 */
export const interactionOperations = [
  operation({
    name: 'interaction.use',
    summary: 'Use a command of an application, as the logged-in user or another user',
    about:
      '`command` is `/tide`, `/berth book` with its subcommand, or the name of a command for users or messages, used on `target`. ' +
      'The default channel is the first that both the user and the application see. `wait` is the maximum time for a deferred answer, ' +
      'in seconds of the machine.',
    args: () =>
      z.object({
        ...used(),
        options: z.optional(values()),
        files: z.optional(files()),
        target: z.optional(nameArg()),
        wait: wait(),
      }),
    result: interactionResult,
    maxBytes: () => MAX_FILES_REQUEST_BYTES,
    run: async (needs, { app, options, files: sent, wait: seconds, ...more }) =>
      answered(
        needs,
        await needs.userActions.use(needs.lookup.application(app).id, { ...more, ...filled(options, sent) }),
        seconds,
      ),
  }),
  operation({
    name: 'interaction.autocomplete',
    summary: 'Ask an application for the choices of a command option that is being typed',
    about:
      'The choices for an option that is being typed; `options` has the text typed so far, and the other options.',
    args: () => z.object({ ...used(), option: nameArg(), options: z.optional(values()) }),
    result: interactionResult,
    run: (needs, { app, option, options, ...more }) =>
      answered(
        needs,
        needs.userActions.complete(needs.lookup.application(app).id, option, {
          ...more,
          ...filled(options, {}),
        }),
      ),
  }),
  operation({
    name: 'interaction.commands',
    summary: 'The commands of applications that a user may use in a channel',
    about:
      '`type` is 1 for a typed command, 2 for users, 3 for messages, 4 for an entry point; `options` as the HTTP API has them.',
    args: () => z.object({ channel: nameArg(), user: z.optional(nameArg()) }),
    result: () =>
      z.array(
        z.object({
          application: z.object({ id: z.string(), name: z.string() }),
          id: z.string(),
          type: z.number(),
          name: z.string(),
          description: z.string(),
          options: z.array(z.looseObject({ type: z.number(), name: z.string(), description: z.string() })),
        }),
      ),
    command: {
      name: 'commands',
      syntax: {
        channel: { name: 'CHANNEL', help: 'id or name of a channel', completes: 'text-channels' },
        user: asOption('who would use them; default: the logged-in user'),
      },
      examples: [['commands general', 'What bots offer there']],
      resultText: (list) =>
        list.length === 0
          ? 'There is no command.'
          : [
              ['APPLICATION', 'COMMAND', 'DESCRIPTION'],
              ...list.map(({ application, type, name, description }) => [
                application.name,
                type === 1 ? `/${name}` : name,
                description,
              ]),
            ],
    },
    run: ({ userActions, lookup }, { channel, user }) =>
      userActions.commands(lookup.channel(channel), lookup.user(user)).map((command) => ({
        application: {
          id: command.application,
          name: lookup.applicationName(command.application) ?? command.application,
        },
        id: command.id,
        type: command.type,
        name: command.name,
        description: command.description,
        options: [...command.options],
      })),
  }),
  operation({
    name: 'interaction.suggest',
    summary: 'What a select of users, roles or channels offers a user in a channel for a typed text',
    about: 'At most 25; `value` is what `interaction.choose` takes.',
    args: () =>
      z.object({
        channel: nameArg(),
        kind: z.enum(['user', 'role', 'mentionable', 'channel']),
        text: z.optional(z.string().check(z.maxLength(100))),
        user: z.optional(nameArg()),
      }),
    result: () =>
      z.array(
        z.object({
          kind: z.enum(['user', 'role', 'channel']),
          value: z.string(),
          label: z.string(),
          description: z.optional(z.string()),
        }),
      ),
    run: ({ userActions, lookup }, { channel, kind, text: typed = '', user }) =>
      userActions.suggest(lookup.channel(channel), lookup.user(user), kind, typed),
  }),
  operation({
    name: 'interaction.click',
    summary: 'Click a button of a message, by its custom id or label',
    about: `\`button\` is its custom id or label. ${REVISION_TEXT}`,
    args: () =>
      z.object({
        message: nameArg(),
        button: nameArg(),
        user: z.optional(nameArg()),
        wait: wait(),
        revision: revisionArg(),
      }),
    result: interactionResult,
    run: (needs, { message, button, wait: seconds, ...how }) =>
      answered(needs, needs.userActions.click(message, button, how), seconds),
  }),
  operation({
    name: 'interaction.choose',
    summary: 'Choose from a select of a message, by its custom id',
    about: `\`select\` is its custom id; \`values\` are values of its options, or ids or names of users, roles and channels. ${REVISION_TEXT}`,
    args: () =>
      z.object({
        message: nameArg(),
        select: nameArg(),
        values: z.array(nameArg()).check(z.maxLength(25)),
        user: z.optional(nameArg()),
        wait: wait(),
        revision: revisionArg(),
      }),
    result: interactionResult,
    run: (needs, { message, select, values: chosen, wait: seconds, ...how }) =>
      answered(needs, needs.userActions.choose(message, select, chosen, how), seconds),
  }),
  operation({
    name: 'interaction.submit',
    summary: 'Fill in the modal that an interaction opened, by the custom ids of its fields, and submit it',
    about:
      '`id` is that of the interaction that opened the modal; `fields` by their custom ids. Absent fields keep their values.',
    args: () =>
      z.object({
        id: nameArg(),
        fields: z.optional(values()),
        files: z.optional(files()),
        user: z.optional(nameArg()),
        wait: wait(),
      }),
    result: interactionResult,
    maxBytes: () => MAX_FILES_REQUEST_BYTES,
    run: async (needs, { id, fields, files: sent, user, wait: seconds }) =>
      answered(needs, await needs.userActions.submit(id, filled(fields, sent), { user }), seconds),
  }),
  operation({
    name: 'interaction.show',
    summary: 'Current result of an interaction',
    args: () => z.object({ id: nameArg() }),
    result: interactionResult,
    run: ({ userActions }, { id }) => userActions.viewOf(id),
  }),
  operation({
    name: 'interaction.list',
    summary: 'Recent interactions of users with applications, oldest first',
    about: 'The newest 50.',
    args: noArgs,
    result: () => z.array(interactionResult()),
    run: ({ userActions }) => userActions.list(),
  }),
] as const;

function filled(
  entered: Filled['values'] | undefined,
  sent: Readonly<Record<string, InputFile | readonly InputFile[]>> | undefined,
): Filled {
  const several = Object.entries(sent ?? {}).map(
    ([key, one]) => [key, Array.isArray(one) ? (one as readonly InputFile[]) : [one as InputFile]] as const,
  );
  return { values: entered ?? {}, files: Object.fromEntries(several) };
}

/**
 * Result of an interaction after its first answer. With `seconds`, also waits up to this machine time for the
 * completion of a deferred answer.
 */
async function answered(
  { interactions, userActions, gateway }: Needs,
  { id, by, application }: Interaction,
  seconds = 0,
) {
  // The interaction fails now without a gateway session, because a later session does not receive past events.
  if (by === 'gateway' && !gateway.hasReceiver(application)) interactions.fail(id, NO_SESSION);
  await within(interactions.settled(id), FIRST_ANSWER_MS);
  if (seconds > 0) await within(interactions.finished(id), seconds * 1000);
  return userActions.viewOf(id);
}

async function within(settled: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController();
  const late = delay(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  await Promise.race([settled, late]);
  over.abort();
}
