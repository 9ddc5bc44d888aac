import * as z from 'zod';
import { adminOperationsFor } from '../../base/admin-operation.ts';
import { LocalError } from '../../base/local-error.ts';
import { storedFields } from '../../base/saves.ts';
import { checkArgs } from '../../protocol/check-shapes.ts';
import { SET_ACTIVITY } from '../../protocol/commands/activity.ts';
import type { BridgePresence } from './bridge-presence.ts';
import { placesOf, reasonText } from './reason-text.ts';
import { presenceViews } from './view.ts';

const operation = adminOperationsFor<{ readonly presence: BridgePresence }>();

/** Longest wait of one call for a change (ms). */
const MAX_WAIT_MS = 30_000;

const clientId = () => z.string().check(z.minLength(1), z.maxLength(64));
const activity = () => z.record(z.string(), z.unknown());
const time = () => z.nullable(z.number());
const state = () => z.enum(['shown', 'hidden', 'waiting']);

const view = () =>
  z.object({
    clientId: z.string(),
    application: z.nullable(z.string()),
    program: z.nullable(z.string()),
    pid: z.nullable(z.number()),
    session: z.string(),
    connections: z.number(),
    state: state(),
    why: z.string(),
    rules: z.array(z.string()),
    shown: z.nullable(activity()),
    activity: activity(),
    since: z.number(),
    changedAt: z.number(),
    clients: z.array(z.string()),
  });

/** Operations on the presence of apps. */
export const presenceOperations = [
  operation({
    name: 'presence.list',
    summary: 'What each app shows, where it goes, and why',
    about:
      'One entry for each application, in the order in which they are shown. `activity` is what the app has set, `shown` what others see. `paused` ' +
      'is a time (ms since the Unix epoch), null without an end, and absent while presence is not paused. `unusedRules` have matched nothing ' +
      'since they were read. `problems` are settings that have no effect, with the reason. `revision` changes with each change; with `after`, the call waits up to `wait` ms for another one.',
    args: () =>
      z.object({
        after: z.optional(z.int().check(z.gte(0))),
        wait: z.optional(z.int().check(z.gte(0), z.lte(MAX_WAIT_MS))),
      }),
    result: () =>
      z.object({
        revision: z.number(),
        paused: z.optional(time()),
        entries: z.array(view()),
        unusedRules: z.array(z.string()),
        problems: z.array(z.string()),
      }),
    async run({ presence }, { after, wait = 0 }) {
      if (after === presence.presences.revision && wait > 0) await presence.presences.change(wait);
      const { revision, paused, unused } = presence.presences;
      return {
        revision,
        ...(paused === undefined ? {} : { paused }),
        entries: [...presenceViews(presence)],
        unusedRules: unused.map(({ place }) => place),
        problems: [...presence.problems],
      };
    },
  }),
  operation({
    name: 'presence.test',
    summary: 'What others would see of an activity; nothing is shown',
    about: '`program` is the name of the program that would set it.',
    args: () =>
      z.object({
        clientId: clientId(),
        program: z.optional(z.string().check(z.maxLength(4096))),
        activity: activity(),
      }),
    result: () =>
      z.object({
        state: state(),
        why: z.string(),
        rules: z.array(z.string()),
        shown: z.nullable(activity()),
      }),
    run({ presence }, { clientId: id, program, activity: tried }) {
      const facts = {
        clientId: id,
        applicationName: presence.applicationName(id),
        programs: program === undefined ? [] : [program],
      };
      const standing = presence.presences.try(facts, checkedActivity(tried));
      return {
        state: standing.kind === 'none' ? 'hidden' : standing.kind,
        why: reasonText(standing, String),
        rules: standing.kind === 'none' ? [] : [...placesOf(standing.reason)],
        shown: standing.kind === 'shown' ? { ...standing.activity } : null,
      };
    },
  }),
  operation({
    name: 'presence.set',
    summary: 'Show an activity of your own, as long as this connection stays open',
    about:
      'Call it at `POST /v1/operations/presence.set/hold`: the answer does not end, and the activity is cleared when the connection is.',
    args: () => z.object({ clientId: clientId(), activity: activity() }),
    result: () => z.object({ clientId: z.string() }),
    holds: true,
    async run({ presence }, { clientId: id, activity: shown }, { held }) {
      if (held === undefined)
        throw new Error('presence.set: call it so that the connection stays open: POST …/presence.set/hold');
      const app = await presence.show(id, checkedActivity(shown));
      if (held.aborted) app.close();
      else held.addEventListener('abort', () => app.close(), { once: true });
      return { clientId: id };
    },
  }),
  operation({
    name: 'presence.hold',
    summary: 'Show an activity of your own until it is cleared, also after a restart',
    about:
      '`until` is a time in ms since the Unix epoch; null without an end. One activity is held for each application.',
    args: () => z.object({ clientId: clientId(), activity: activity(), until: time() }),
    result: () => z.object({ clientId: z.string(), until: time(), ...storedFields(z.boolean, z.string) }),
    run: async ({ presence }, { clientId: id, activity: shown, until }) => ({
      clientId: id,
      until,
      ...(await presence.hold({ clientId: id, activity: checkedActivity(shown), until })),
    }),
  }),
  operation({
    name: 'presence.clear',
    summary: 'End the held activity of an application, or every one',
    args: () => z.object({ clientId: z.optional(clientId()) }),
    result: () => z.object({ cleared: z.array(z.string()), ...storedFields(z.boolean, z.string) }),
    run({ presence }, { clientId: id }) {
      const { cleared, ...stored } = presence.clear(id);
      return { cleared: [...cleared], ...stored };
    },
  }),
  operation({
    name: 'presence.pause',
    summary: 'Hide every presence for some time, or until presence.resume',
    about: '`until` is a time in ms since the Unix epoch. A pause outlives the bridge.',
    args: () => z.object({ until: time() }),
    result: () => z.object({ paused: time(), ...storedFields(z.boolean, z.string) }),
    run: ({ presence }, { until }) => ({ paused: until, ...presence.pause(until) }),
  }),
  operation({
    name: 'presence.resume',
    summary: 'Show presence again',
    args: () => z.object({}),
    result: () => z.object({ ...storedFields(z.boolean, z.string) }),
    run: ({ presence }) => presence.resume(),
  }),
  operation({
    name: 'presence.reload',
    summary: 'Read the rules of the configuration file again',
    about: 'A mistake in the file changes nothing. The result is the number of rules.',
    args: () => z.object({}),
    result: () => z.object({ rules: z.number() }),
    async run({ presence }) {
      await presence.reload();
      return { rules: presence.presences.rules.rules.length };
    },
  }),
] as const;

/** Validates an activity as SET_ACTIVITY does. Throws `LocalError` FOOTBRIDGE_PRESENCE that names the field. */
function checkedActivity(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    const { activity: read } = checkArgs(SET_ACTIVITY.args(), { pid: process.pid, activity: value }) as {
      readonly activity: Readonly<Record<string, unknown>>;
    };
    return read;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^args\.activity\.?/, '') : String(cause);
    throw new LocalError('FOOTBRIDGE_PRESENCE', `${reason}.`, { cause });
  }
}
