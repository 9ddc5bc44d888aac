import type { JournalEntry } from '../journal/entry.ts';
import { callsIn, valueIn, wanted } from '../testing/calls.ts';
import { holds } from '../testing/expectation.ts';
import { changedMessage, lineOf, listed, newMessage, quoted, textsOf, whereOf } from './messages.ts';
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
  async deleted(run, { on, within }) {
    const { id, channel } = run.message(on);
    await until(run, within, async () => {
      const seen = (await run.view(channel, run.actor)).find(({ message }) => message.id === id);
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
  event: (run, { event, to, with: fields, within }) =>
    found(run, within, 'event', async (entries) => {
      const application = to === undefined ? undefined : await applicationId(run, to);
      const all = entries.flatMap((entry) => {
        const one = eventIn(entry);
        return one === undefined || (application !== undefined && one.application !== application)
          ? []
          : [{ ...one, seq: entry.seq }];
      });
      const named = all.filter(({ name }) => name === event);
      const hit = named.find(({ data }) => fields === undefined || holds(data, fields));
      if (hit !== undefined) return hit.seq;
      return named.length === 0
        ? { what: `no event ${event} was sent`, actual: listed(all.map(({ name }) => name)) }
        : {
            what: `no such ${event} was sent`,
            actual: JSON.stringify(named.at(-1)?.data),
            expected: JSON.stringify(fields),
            field: 'with',
          };
    }),
  async request(run, { request, status, with: fields, within }) {
    const { matches, check } = wanted(request, 'expect');
    await check();
    await found(run, within, 'request', (entries) => {
      const all = callsIn(entries);
      const own = all.filter((call) => matches(call));
      const statusOf = ({ outcome }: (typeof all)[number]): number =>
        outcome.kind === 'failed' ? (outcome.status ?? outcome.code) : 200;
      const hit = own.find(
        (call) =>
          (fields === undefined || holds(call.args, fields)) &&
          (status === undefined ||
            (status < 400 ? call.outcome.kind === 'answered' : statusOf(call) === status)),
      );
      if (hit !== undefined) return hit.seq;
      const last = own.at(-1);
      if (last === undefined)
        return { what: `no request ${request} came`, actual: listed(all.map(({ what }) => what)) };
      return fields !== undefined && !own.some((call) => holds(call.args, fields))
        ? {
            what: `no such ${request} came`,
            actual: JSON.stringify(last.args),
            expected: JSON.stringify(fields),
            field: 'with',
          }
        : {
            what: `${request} got another answer`,
            actual: String(statusOf(last)),
            expected: String(status),
            field: 'status',
          };
    });
  },
  webhook: (run, { type, to, status, within }) =>
    found(run, within, 'expect', async (entries) => {
      const application = to === undefined ? undefined : await applicationId(run, to);
      const all = entries.flatMap((entry) => (entry.kind === 'webhook' ? [entry] : []));
      const own = all.filter(
        (one) =>
          (type === undefined || one.type === type) &&
          (application === undefined || one.application === application),
      );
      const hit = own.find(
        ({ outcome }) => status === undefined || (outcome.kind === 'answered' && outcome.status === status),
      );
      if (hit !== undefined) return hit.seq;
      const last = own.at(-1)?.outcome;
      return last === undefined
        ? {
            what: `no webhook ${type ?? ''} was sent`.replace('  ', ' '),
            actual: listed(all.map((one) => one.type)),
            field: 'type',
          }
        : {
            what: 'the webhook got another answer',
            actual: last.kind === 'answered' ? String(last.status) : last.reason,
            expected: String(status),
            field: 'status',
          };
    }),
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
  async none(run, { in: place, to }) {
    const { channel, user } = await whereOf(run, place, to);
    const fresh = (await run.view(channel, user, 'in')).filter(
      ({ message }) => BigInt(message.id) > run.since && !run.known.has(message.id),
    );
    if (fresh.length > 0)
      throw new StepFailure(
        'there is a message',
        { actual: fresh.map(lineOf).join('\n'), expected: 'none' },
        'expect',
      );
  },
};

/** Waits for an entry of the journal that no other expectation has found. */
async function found(
  run: Run,
  within: string | undefined,
  field: string,
  find: (entries: readonly JournalEntry[]) => number | Unmet | Promise<number | Unmet>,
): Promise<void> {
  await until(run, within, async () => {
    const entries = (await run.traffic()).filter(({ seq }) => !run.found.has(seq));
    const hit = await find(entries);
    if (typeof hit !== 'number') return { field, ...hit };
    run.found.add(hit);
    return undefined;
  });
}

/** An event that was sent to a client of the gateway, or to an app. */
function eventIn(
  entry: JournalEntry,
): { readonly name: string; readonly data: unknown; readonly application: string | undefined } | undefined {
  if (entry.kind === 'gateway' && entry.direction === 'out') {
    const { t, d } = Object(valueIn(entry.text)) as { readonly t?: unknown; readonly d?: unknown };
    return typeof t === 'string' ? { name: t, data: d, application: entry.application } : undefined;
  }
  if (entry.kind !== 'frame' || entry.direction !== 'out') return undefined;
  const { cmd, evt, data } = Object(valueIn(entry.text)) as Readonly<Record<string, unknown>>;
  return cmd === 'DISPATCH' && typeof evt === 'string'
    ? { name: evt, data, application: undefined }
    : undefined;
}

async function applicationId(run: Run, name: string): Promise<string> {
  const { applications } = await run.call<{
    readonly applications: readonly { readonly id: string; readonly name: string }[];
  }>('emulator.show', {});
  const own = applications.find((one) => one.name === name || one.id === name);
  if (own !== undefined) return own.id;
  throw new StepFailure(
    `there is no application ${JSON.stringify(name)}`,
    { remedy: `Name one of ${applications.map((one) => one.name).join(', ')}.` },
    'to',
  );
}
