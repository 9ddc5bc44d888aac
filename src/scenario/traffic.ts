import { holds } from '../base/holds.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { callsIn, valueIn, wanted } from '../testing/calls.ts';
import { listed } from './messages.ts';
import { StepFailure } from './place.ts';
import type { Run } from './run.ts';
import type { Expectations } from './schema.ts';
import { type Unmet, until } from './until.ts';

/** Checks expectations of events, requests and webhooks, by the kind of the step. */
export const traffic: {
  readonly [Kind in 'event' | 'request' | 'webhook']: (run: Run, step: Expectations[Kind]) => Promise<void>;
} = {
  event: (run, { event, to, with: fields, within, save }) =>
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
      if (hit !== undefined) {
        const { id } = Object(hit.data) as { readonly id?: unknown };
        run.save(save, typeof id === 'string' ? { id } : {});
        return hit.seq;
      }
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
