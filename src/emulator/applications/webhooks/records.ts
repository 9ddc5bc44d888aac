import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import { isTarget } from './address.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

/** The webhook of an application. */
export const eventWebhooks = defineRecord({
  name: 'event_webhooks',
  noun: 'event webhook',
  about: 'where an application gets its events',
  key: ['application'],
  schema: ({ table, snowflake, textThat, or, list, choice }: SchemaParts) =>
    table({
      application: snowflake(),
      /** Always on this machine. */
      url: textThat(
        isTarget,
        2048,
        'must be an http: address of this machine, such as http://127.0.0.1:3000/',
      ),
      /** Event types that are delivered; with an empty list, all types. */
      types: list(choice(...EVENT_TYPES), EVENT_TYPES.length),
      /** Status of the webhook; `failing` after too many failed deliveries. */
      status: or(choice('on', 'off', 'failing'), 'on'),
    }),
});

/** The webhook of an application. */
export type EventWebhook = RowOf<typeof eventWebhooks>;

/** An attempt to deliver. */
export interface Attempt {
  /** ISO 8601. */
  readonly at: string;
  /**
   * Signature headers by which the application authenticates the sender: the Ed25519 signature of timestamp and body.
   */
  readonly headers: {
    readonly 'X-Signature-Ed25519': string;
    readonly 'X-Signature-Timestamp': string;
  };
  readonly outcome:
    | { readonly kind: 'answered'; readonly status: number }
    | { readonly kind: 'failed'; readonly reason: string };
}

/** Type of a delivery: the type of an event, or a probe of the URL. */
type Sent = EventType | 'PING' | 'PING_WITH_WRONG_SIGNATURE';

/** State of a delivery. */
export type DeliveryState = 'waiting' | 'delivered' | 'given-up';

/** All past and current deliveries to applications. */
export const webhookDeliveries = defineRecord({
  name: 'webhook_deliveries',
  noun: 'webhook delivery',
  key: ['id'],
  transient: true,
  indexes: { application: {} },
  schema: ({ table, anyText, internalValue }: SchemaParts) =>
    table({
      id: anyText(),
      application: anyText(),
      url: anyText(),
      type: internalValue<Sent>(),
      /** The bytes that are signed and sent. */
      body: anyText(),
      state: internalValue<DeliveryState>(),
      attempts: internalValue<readonly Attempt[]>(),
    }),
});

/** A past or current delivery to an application. */
export type Delivery = RowOf<typeof webhookDeliveries>;
