import {
  changedMessage,
  lineOf,
  linesOf,
  listed,
  newMessage,
  newMessages,
  quoted,
  textsOf,
  whereOf,
} from './messages.ts';
import { StepFailure } from './place.ts';
import { channelName, type Run, type SeenInteraction } from './run.ts';
import type { Expectations } from './schema.ts';
import { type Unmet, until } from './until.ts';

/** Checks expectations, by the kind of the step. */
export const checkers: {
  readonly [Kind in keyof Expectations]: (run: Run, step: Expectations[Kind]) => Promise<void>;
} = {
  message: (run, step) =>
    step.on === undefined ? newMessage(run, step) : changedMessage(run, step, step.on),
  async deleted(run, { on, to, within }) {
    const { id } = run.message(on);
    const user = to === undefined ? run.actor : (await run.user(to, 'to')).id;
    await until(run, within, async () => {
      const seen = await run.seen(id, user);
      return seen && { what: 'the message is not deleted', actual: lineOf(seen), field: 'on' };
    });
  },
  async modal(run, { on, contains, within }) {
    const id = run.interaction(on);
    await until(run, within, async () => {
      const { state, modal } = await run.call<SeenInteraction>('interaction.show', { id });
      if (modal === undefined)
        return { what: 'the bot opened no modal', actual: state, expected: 'modal', field: 'on' };
      const texts = [modal.title, ...textsOf(modal.components)];
      if (contains === undefined || texts.some((text) => text.includes(contains))) return undefined;
      return {
        what: 'the modal is another one',
        actual: quoted(texts),
        expected: `contains ${JSON.stringify(contains)}`,
        field: 'contains',
      };
    });
  },
  // What requests are called comes with the protocol, which most scenarios need not load.
  event: async (run, step) => (await import('./traffic.ts')).traffic.event(run, step),
  request: async (run, step) => (await import('./traffic.ts')).traffic.request(run, step),
  webhook: async (run, step) => (await import('./traffic.ts')).traffic.webhook(run, step),
  async presence(run, { of, status, activity, within }) {
    const { id } = await run.user(of, 'of');
    await until(run, within, async () => {
      const seen = await run.call<{
        readonly status: string;
        readonly activities: readonly { readonly name: string }[];
      }>('user.view', { user: id });
      if (status !== undefined && seen.status !== status)
        return { what: `${of} has another status`, actual: seen.status, expected: status, field: 'status' };
      const names = seen.activities.map(({ name }) => name);
      if (activity === undefined || names.includes(activity)) return undefined;
      return {
        what: `${of} does something else`,
        actual: listed(names),
        expected: activity,
        field: 'activity',
      };
    });
  },
  async voice(run, { of, in: channel, within }) {
    const { id } = await run.user(of, 'of');
    await until(run, within, async () => {
      const { voice } = await run.call<{
        readonly voice: { readonly channel: string; readonly name: string } | null;
      }>('user.view', { user: id });
      const isThere =
        channel === false
          ? voice === null
          : voice !== null && [voice.name, voice.channel].includes(channelName(channel));
      if (isThere) return undefined;
      return {
        what: `${of} is in another voice channel`,
        actual: voice?.name ?? 'none',
        expected: channel === false ? 'none' : channel,
        field: 'in',
      };
    });
  },
  async member(run, step) {
    const { id } = await run.user(step.of, 'of');
    const guild = await run.guild(step.in);
    await until(run, step.within, async () => {
      const seen = await run.call<SeenMember>('user.view', { user: id, guild });
      const { now } = await run.call<{ readonly now: string }>('clock.now', {});
      return wrongMember(seen, step, Date.parse(now));
    });
  },
  async none(run, { in: place, to }) {
    const fresh = await newMessages(run, await whereOf(run, place, to), run.since);
    if (fresh.length > 0)
      throw new StepFailure('there is a message', { actual: linesOf(fresh), expected: 'none' }, 'expect');
  },
};

/** A user in a guild, as `user.view` returns it. */
interface SeenMember {
  readonly member: boolean;
  readonly nick: string | null;
  readonly roles: readonly { readonly name: string }[];
  readonly timed_out_until: string | null;
}

/** First way in which a member is not as expected. */
function wrongMember(
  { member, nick, roles, timed_out_until: end }: SeenMember,
  { of, has = [], lacks = [], nick: name, timeout, gone = false }: Expectations['member'],
  now: number,
): Unmet | undefined {
  if (member === gone)
    return { what: `${of} is ${gone ? 'still' : 'not'} a member`, actual: `gone = ${!member}`, field: 'of' };
  const names = roles.map((role) => role.name);
  const facts = { actual: names.join(', ') || 'no role' };
  const missing = [has].flat().filter((role) => !names.includes(role));
  if (missing.length > 0) return { what: `${of} has not ${missing.join(' and ')}`, ...facts, field: 'has' };
  const wrong = [lacks].flat().filter((role) => names.includes(role));
  if (wrong.length > 0) return { what: `${of} still has ${wrong.join(' and ')}`, ...facts, field: 'lacks' };
  if (name !== undefined && name !== nick)
    return { what: `${of} has another nickname`, actual: nick ?? 'none', expected: name, field: 'nick' };
  const isTimedOut = end !== null && Date.parse(end) > now;
  if (timeout !== undefined && timeout !== isTimedOut)
    return { what: `${of} is ${timeout ? 'not ' : ''}in a timeout`, actual: end ?? 'none', field: 'timeout' };
  return undefined;
}
