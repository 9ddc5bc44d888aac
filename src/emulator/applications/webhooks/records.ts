import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import { isTarget } from './address.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

/** Where an application is told what happens. */
export const eventWebhooks = defineRecord({
  name: 'event_webhooks',
  noun: 'event webhook',
  key: ['application'],
  schema: ({ table, snowflake, textThat, or, list, choice }: SchemaParts) =>
    table({
      application: snowflake(),
      /** On this machine, always. */
      url: textThat(
        isTarget,
        2048,
        'must be an http: address of this machine, such as http://127.0.0.1:3000/',
      ),
      /** What it is told; nothing named is everything. */
      types: list(choice(...EVENT_TYPES), EVENT_TYPES.length),
      /** `failing` once too much could not be delivered. */
      status: or(choice('on', 'off', 'failing'), 'on'),
    }),
});

/** Where an application is told what happens. */
export type EventWebhook = RowOf<typeof eventWebhooks>;

/** One try to deliver. */
export interface Attempt {
  /** ISO 8601. */
  readonly at: string;
  /** By which the application tells who sent it: Ed25519 over the timestamp and the body. */
  readonly headers: {
    readonly 'X-Signature-Ed25519': string;
    readonly 'X-Signature-Timestamp': string;
  };
  readonly outcome:
    | { readonly kind: 'answered'; readonly status: number }
    | { readonly kind: 'failed'; readonly reason: string };
}

/** What was sent: an event, or what an address proves itself by. */
type Sent = EventType | 'PING' | 'PING_WITH_WRONG_SIGNATURE';

/** How far a delivery is. */
export type DeliveryState = 'waiting' | 'delivered' | 'given-up';

/** Everything that was sent, or is being sent, to applications. */
export const webhookDeliveries = defineRecord({
  name: 'webhook_deliveries',
  noun: 'webhook delivery',
  key: ['id'],
  transient: true,
  indexes: { application: {} },
  schema: ({ table, anyText, given }: SchemaParts) =>
    table({
      id: anyText(),
      application: anyText(),
      url: anyText(),
      type: given<Sent>(),
      /** The bytes that are signed and sent. */
      body: anyText(),
      state: given<DeliveryState>(),
      attempts: given<readonly Attempt[]>(),
    }),
});

/** Something that was sent, or is being sent, to an application. */
export type Delivery = RowOf<typeof webhookDeliveries>;
