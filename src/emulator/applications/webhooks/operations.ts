import * as z from 'zod';
import { nameArg, noArgs, operatorOperationsFor } from '../../api/operator.ts';
import { EVENT_TYPES } from './event-types.ts';
import type { Delivery } from './records.ts';
import type { Webhooks } from './webhooks.ts';

const operation = operatorOperationsFor<{
  readonly webhooks: Pick<Webhooks, 'set' | 'unset' | 'deliveries' | 'redeliver'>;
}>();

const delivery = () =>
  z.object({
    id: z.string(),
    /** Id of the application. */
    application: z.string(),
    url: z.string(),
    /** Type of the event, such as `APPLICATION_DEAUTHORIZED`, or `PING`. */
    type: z.string(),
    state: z.string(),
    attempts: z.array(
      z.object({
        /** ISO 8601. */
        at: z.string(),
        headers: z.record(z.string(), z.string()),
        outcome: z.union([
          z.object({ kind: z.literal('answered'), status: z.number() }),
          z.object({ kind: z.literal('failed'), reason: z.string() }),
        ]),
      }),
    ),
    body: z.unknown(),
  });

/** The view of a delivery in operations. */
export type DeliveryView = z.output<ReturnType<typeof delivery>>;

/** One line of text about a delivery. */
export function deliveryLine({ id, application, type, state, url, attempts }: DeliveryLine): string {
  const last = attempts.at(-1)?.outcome;
  const result =
    last === undefined ? 'not tried yet' : last.kind === 'answered' ? String(last.status) : last.reason;
  return `${id}  ${type} to ${application} at ${url}: ${state}, ${attempts.length}x, last ${result}`;
}

type DeliveryLine = Omit<DeliveryView, 'attempts' | 'body'> & {
  readonly attempts: readonly Pick<DeliveryView['attempts'][number], 'outcome'>[];
};

/** Operator operations on webhooks of applications. */
export const webhookOperations = [
  operation({
    name: 'webhook.set',
    summary: 'Set the webhook of an application, at a URL on this machine that is verified first',
    about: '`events` are names such as `APPLICATION_DEAUTHORIZED`; default: all.',
    args: () =>
      z.object({
        app: nameArg(),
        url: z.string().check(z.minLength(1), z.maxLength(2048)),
        events: z.optional(z.array(z.enum(EVENT_TYPES)).check(z.maxLength(EVENT_TYPES.length))),
      }),
    result: () =>
      z.object({ application: z.string(), url: z.string(), types: z.array(z.string()), status: z.string() }),
    command: {
      name: 'webhook set',
      summary: 'Set the webhook of an application, at a URL on this machine',
      syntax: {
        app: { name: 'APP', help: 'id or name' },
        url: {
          name: 'URL',
          help: 'http: on this machine; must answer a PING with 204, a wrong signature with 401',
        },
        events: {
          option: 'events',
          name: 'LIST',
          help: 'only these events; default: all',
          type: 'list',
          choices: EVENT_TYPES,
        },
      },
      examples: [
        ['webhook set 300000000000000001 http://127.0.0.1:3000/events', 'All events'],
        [
          'webhook set 300000000000000001 http://127.0.0.1:3000/events --events APPLICATION_DEAUTHORIZED',
          'Only unlinked accounts',
        ],
      ],
      resultText: (_set, { app, url }) => `${app} now receives events at ${url}, which was verified.`,
    },
    run: ({ webhooks, lookup }, { app, url, events }) =>
      webhooks.set(lookup.application(app).id, url, events),
  }),
  operation({
    name: 'webhook.remove',
    summary: 'Remove the webhook of an application',
    args: () => z.object({ app: nameArg() }),
    result: () => z.object({ application: z.string(), removed: z.boolean() }),
    command: {
      name: 'webhook remove',
      syntax: { app: { name: 'APP', help: 'id or name' } },
      examples: [['webhook remove 300000000000000001', 'No more events']],
      resultText: ({ removed }, { app }) =>
        removed ? `${app} receives no more events.` : `${app} had no webhook; nothing is changed.`,
    },
    run: ({ webhooks, lookup }, { app }) => {
      const application = lookup.application(app).id;
      return { application, removed: webhooks.unset(application) };
    },
  }),
  operation({
    name: 'webhooks.list',
    summary: 'All past and current deliveries to applications, oldest first',
    about: 'The result is every delivery with its attempts.',
    args: noArgs,
    result: () => z.array(delivery()),
    run: ({ webhooks }) => webhooks.deliveries().map(viewOf),
  }),
  operation({
    name: 'webhook.redeliver',
    summary: 'Send a delivery again',
    args: () => z.object({ id: nameArg() }),
    result: delivery,
    command: {
      name: 'webhook redeliver',
      syntax: { id: { name: 'ID', help: 'of the delivery, as "emulator webhooks" lists it' } },
      examples: [['webhook redeliver 1461234567890123456', 'The same bytes once more']],
      resultText: deliveryLine,
    },
    run: ({ webhooks }, { id }) => viewOf(webhooks.redeliver(id)),
  }),
] as const;

function viewOf({ id, application, url, type, state, body, attempts }: Delivery) {
  return { id, application, url, type, state, attempts, body: JSON.parse(body) as unknown };
}
