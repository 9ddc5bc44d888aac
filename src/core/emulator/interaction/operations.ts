import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { Filled, GivenFile } from '../../../emulator/interactions/player/given.ts';
import type { Interaction } from '../../../emulator/interactions/records.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';
import { findApplication } from '../find-application.ts';

/** Files of 25 MiB in base64, and what is said besides. */
const MOST_BYTES = 36 * 1024 * 1024;
/**
 * So long the first answer is waited for by the time of the machine: longer than the 3 seconds that an application has, by a clock
 * which may stand.
 */
const PATIENCE_MS = 5_000;
const NO_SESSION = 'its bot has no gateway session, so nobody received it';
/** As long as the token of an interaction is good (s). */
const LONGEST_WAIT = 15 * 60;

const name = () => z.string().check(z.minLength(1), z.maxLength(100));
const text = () => z.string().check(z.maxLength(6000));
const values = () =>
  z.record(name(), z.union([text(), z.number(), z.boolean(), z.array(text()).check(z.maxLength(25))]));
const file = () =>
  z.union([
    z.object({ filename: name(), content_type: z.optional(name()), data: z.string() }),
    z.object({ filename: name(), problem: z.string().check(z.maxLength(500)) }),
  ]);
const files = () => z.record(name(), z.union([file(), z.array(file()).check(z.maxLength(10))]));
const wait = () => z.optional(z.number().check(z.gte(0), z.lte(LONGEST_WAIT)));

/**
 * What a person does with applications: each is answered with what became of it, as soon as the application has answered first. All
 * throw SettingError for what the client does not offer. Users, applications and channels are given by id or name.
 */
export function interactionOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  const { player } = emulator;
  const used = { app: name(), command: name(), user: z.optional(name()), channel: z.optional(name()) };
  return {
    'interaction.use': defineOperation({
      summary: 'Use a command of an application, as the logged-in user or somebody else',
      args: () =>
        z.object({
          ...used,
          options: z.optional(values()),
          files: z.optional(files()),
          target: z.optional(name()),
          wait: wait(),
        }),
      mostBytes: MOST_BYTES,
      run: async ({ app, options, files: sent, wait: seconds, ...more }) =>
        answered(
          emulator,
          await player.use(findApplication(emulator, app).id, { ...more, ...filled(options, sent) }),
          seconds,
        ),
    }),
    'interaction.autocomplete': defineOperation({
      summary: 'Ask an application what it offers for an option of a command that is being written',
      args: () => z.object({ ...used, option: name(), options: z.optional(values()) }),
      run: ({ app, option, options, ...more }) =>
        answered(
          emulator,
          player.complete(findApplication(emulator, app).id, option, { ...more, ...filled(options, {}) }),
        ),
    }),
    'interaction.click': defineOperation({
      summary: 'Click a button of a message, by its custom id or label',
      args: () => z.object({ message: name(), button: name(), user: z.optional(name()), wait: wait() }),
      run: ({ message, button, user, wait: seconds }) =>
        answered(emulator, player.click(message, button, { user }), seconds),
    }),
    'interaction.choose': defineOperation({
      summary: 'Choose from a select of a message, by its custom id',
      args: () =>
        z.object({
          message: name(),
          select: name(),
          values: z.array(name()).check(z.maxLength(25)),
          user: z.optional(name()),
          wait: wait(),
        }),
      run: ({ message, select, values: chosen, user, wait: seconds }) =>
        answered(emulator, player.choose(message, select, chosen, { user }), seconds),
    }),
    'interaction.submit': defineOperation({
      summary: 'Fill in the modal that an interaction opened, by the custom ids of its fields, and submit it',
      args: () =>
        z.object({
          id: name(),
          fields: z.optional(values()),
          files: z.optional(files()),
          user: z.optional(name()),
          wait: wait(),
        }),
      mostBytes: MOST_BYTES,
      run: async ({ id, fields, files: sent, user, wait: seconds }) =>
        answered(emulator, await player.submit(id, filled(fields, sent), { user }), seconds),
    }),
    'interaction.show': defineOperation({
      summary: 'What became of an interaction, as it is now',
      args: () => z.object({ id: name() }),
      run: ({ id }) => player.show(id),
    }),
    'interaction.list': defineOperation({
      summary: 'What people did with applications lately, oldest first',
      args: () => z.object({}),
      run: () => player.list(),
    }),
  };
}

function filled(
  given: Filled['values'] | undefined,
  sent: Readonly<Record<string, GivenFile | readonly GivenFile[]>> | undefined,
): Filled {
  const several = Object.entries(sent ?? {}).map(
    ([key, one]) => [key, Array.isArray(one) ? (one as readonly GivenFile[]) : [one as GivenFile]] as const,
  );
  return { values: given ?? {}, files: Object.fromEntries(several) };
}

/** What became of it once there is a first answer, or one that was put off is there, within so many seconds of the machine. */
async function answered(
  { interactions, player, gateway }: Emulator,
  { id, by, application }: Interaction,
  seconds = 0,
): Promise<object> {
  // A session that begins later does not receive it, so there is nothing to wait for.
  if (by === 'gateway' && !gateway.hasReceiver(application)) interactions.fail(id, NO_SESSION);
  await within(interactions.settled(id), PATIENCE_MS);
  if (seconds > 0) await within(interactions.finished(id), seconds * 1000);
  return player.show(id);
}

async function within(settled: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController();
  const late = delay(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  await Promise.race([settled, late]);
  over.abort();
}
