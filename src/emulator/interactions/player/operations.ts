import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { nameArg, noArgs, operatorOperationsFor } from '../../api/operator.ts';
import type { Interactions } from '../interactions.ts';
import type { Interaction } from '../records.ts';
import type { Filled, InputFile } from './input-values.ts';
import { interactionResult } from './interaction-result.ts';
import type { UserActions } from './user-actions.ts';

interface Needs {
  readonly userActions: UserActions;
  readonly interactions: Pick<Interactions, 'fail' | 'settled' | 'finished'>;
  /** Whether the application has a gateway session that receives interactions. */
  readonly gateway: { hasReceiver(application: string): boolean };
}

const operation = operatorOperationsFor<Needs>();

/** Maximum size of a request (bytes), with room for files of 25 MiB in base64 and the other arguments. */
const MAX_BYTES = 36 * 1024 * 1024;
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
const file = () =>
  z.union([
    z.object({ filename: nameArg(), content_type: z.optional(nameArg()), data: z.string() }),
    z.object({ filename: nameArg(), problem: z.string().check(z.maxLength(500)) }),
  ]);
const files = () => z.record(nameArg(), z.union([file(), z.array(file()).check(z.maxLength(10))]));
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
    maxBytes: () => MAX_BYTES,
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
    name: 'interaction.click',
    summary: 'Click a button of a message, by its custom id or label',
    about: '`button` is its custom id or label.',
    args: () =>
      z.object({ message: nameArg(), button: nameArg(), user: z.optional(nameArg()), wait: wait() }),
    result: interactionResult,
    run: (needs, { message, button, user, wait: seconds }) =>
      answered(needs, needs.userActions.click(message, button, { user }), seconds),
  }),
  operation({
    name: 'interaction.choose',
    summary: 'Choose from a select of a message, by its custom id',
    about:
      '`select` is its custom id; `values` are values of its options, or ids or names of users, roles and channels.',
    args: () =>
      z.object({
        message: nameArg(),
        select: nameArg(),
        values: z.array(nameArg()).check(z.maxLength(25)),
        user: z.optional(nameArg()),
        wait: wait(),
      }),
    result: interactionResult,
    run: (needs, { message, select, values: chosen, user, wait: seconds }) =>
      answered(needs, needs.userActions.choose(message, select, chosen, { user }), seconds),
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
    maxBytes: () => MAX_BYTES,
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
