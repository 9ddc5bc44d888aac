import type * as z from 'zod';
import { isSnowflake } from '../../../base/snowflake.ts';
import { timestamp } from '../../api/fields.ts';
import type { World, Writing } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import { SettingError } from '../../kernel/errors.ts';
import { readTarget } from './address.ts';
import type { EventType } from './event-types.ts';
import { Lanes } from './lanes.ts';
import { type Observers, type Posted, post } from './post.ts';
import type { Attempt, Delivery, EventWebhook } from './records.ts';

/**
 * First retry delay (`FIRST_WAIT_MS`), which doubles each time, and time after which an event is given up
 * (`GIVE_UP_MS`), in milliseconds of the emulator's clock.
 */
const FIRST_WAIT_MS = 1_000;
const GIVE_UP_MS = 10 * 60_000;
/**
 * Number of consecutive events that are given up before the webhook is disabled. The platform publishes no number; this
 * one is Footbridge's own.
 */
const MAX_ABANDONED = 5;
/** Maximum number of stored deliveries; further deliveries drop the oldest. */
const MAX_REMEMBERED = 1_000;

const PING = 0;
const EVENT = 1;
const NO_CONTENT = 204;
const UNAUTHORIZED = 401;

/** An event for an application. */
export interface WebhookEvent {
  readonly application: string;
  readonly type: EventType;
  readonly data: object;
}

/** Delivers events to applications, over HTTP on this machine. */
export class Webhooks {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #observers: Observers;
  readonly #shape: () => Promise<z.ZodType>;
  readonly #timers = new Map<string, () => void>();
  /** Attempts in progress. An attempt stays until its result is recorded. */
  readonly #flying = new Set<Promise<void>>();
  readonly #lanes = new Lanes(MAX_REMEMBERED);
  /** Number of events given up since the last success, by application. */
  readonly #abandoned = new Map<string, number>();
  #isClosed = false;

  /** @param shape loads the declared shape of the events, for the journal */
  constructor(world: World, clock: Clock, observers: Observers, shape: () => Promise<z.ZodType>) {
    this.#shape = shape;
    this.#world = world;
    this.#clock = clock;
    this.#observers = observers;
  }

  /**
   * Sets the webhook of an application. Its URL must first answer a PING with 204, and the same with a wrong signature with
   * 401. Rejects with SettingError that contains the wrong reply.
   */
  async set(application: string, url: string, types: readonly EventType[] = []): Promise<EventWebhook> {
    readTarget(url);
    this.#checkKnown(application);
    const body = JSON.stringify({ version: 1, application_id: application, type: PING });
    const now = this.#clock.now();
    const shape = this.#shape;
    const ping = await post({ application, url, body, now, type: 'PING', shape }, this.#observers);
    const isAnswered = isDelivered(ping.outcome);
    this.#remember({ application, url, type: 'PING', body }, [this.#attempt(ping)], isAnswered);
    if (!isAnswered) throw new SettingError('url', refusalOf(ping.outcome, 'the PING', NO_CONTENT));
    const forged = await post(
      { application, url, body, now, isForged: true, type: 'PING_WITH_WRONG_SIGNATURE', shape },
      this.#observers,
    );
    const isRefused = forged.outcome.kind === 'answered' && forged.outcome.status === UNAUTHORIZED;
    const probe = { application, url, type: 'PING_WITH_WRONG_SIGNATURE', body } as const;
    this.#remember(probe, [this.#attempt(forged)], isRefused);
    if (!isRefused) {
      throw new SettingError('url', refusalOf(forged.outcome, 'a wrong signature', UNAUTHORIZED));
    }
    // The application may have been deleted while its URL was checked.
    this.#checkKnown(application);
    this.#abandoned.delete(application);
    return this.#world.transaction(({ event_webhooks }) =>
      event_webhooks.put({ application, url, types, status: 'on' }),
    );
  }

  /** Checks that the application exists, before the emulator sends anything for it. @throws SettingError */
  #checkKnown(application: string): void {
    const { applications, strict } = this.#world.tables;
    if (applications.has(application) || (!strict.value && isSnowflake(application))) return;
    throw new SettingError(
      'application',
      `there is no application ${JSON.stringify(application.slice(0, 20))}; give the id of one`,
    );
  }

  /** Removes the webhook of an application; false for an application without one. */
  unset(application: string): boolean {
    return this.#world.transaction(({ event_webhooks }) => event_webhooks.remove(application));
  }

  /** All past and current deliveries, oldest first. */
  deliveries(): readonly Delivery[] {
    return [...this.#world.tables.webhook_deliveries];
  }

  /** Sends an event to its application, if the application's webhook is on and includes the event's type. */
  send({ application, type, data }: WebhookEvent): void {
    const webhook = this.#world.tables.event_webhooks.get(application);
    if (this.#isClosed || webhook === undefined || webhook.status !== 'on') return;
    if (webhook.types.length > 0 && !webhook.types.includes(type)) return;
    const event = { type, timestamp: timestamp(this.#clock.now()), data };
    const body = JSON.stringify({ version: 1, application_id: application, type: EVENT, event });
    const { id } = this.#remember({ application, url: webhook.url, type, body }, [], false);
    this.#send(id, this.#clock.now(), FIRST_WAIT_MS);
  }

  /**
   * Repeats a delivery unchanged, to the current URL. `recorded` is called with the number of the journal's entry of the
   * first attempt. @throws SettingError for an unknown id.
   */
  redeliver(id: string, recorded: (seq: number) => void = () => {}): Delivery {
    const delivery = this.#world.tables.webhook_deliveries.get(id);
    if (delivery === undefined) {
      throw new SettingError('', `there is no delivery ${id}; "footbridge emulator webhooks" lists them`);
    }
    const url = this.#world.tables.event_webhooks.get(delivery.application)?.url ?? delivery.url;
    const next = this.#update(id, { url, state: 'waiting' });
    this.#send(id, this.#clock.now(), FIRST_WAIT_MS, recorded);
    return next;
  }

  /** Cancels all retries. */
  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  /** Whether an attempt is in progress. */
  get isBusy(): boolean {
    return this.#flying.size > 0 && !this.#isClosed;
  }

  /** Waits until all attempts have ended, or until `until` aborts. */
  async settled(until: AbortSignal): Promise<void> {
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    until.addEventListener('abort', end);
    while (this.isBusy && !until.aborted) await Promise.race([Promise.all(this.#flying), over]);
    // A long move of the clock calls `settled` repeatedly with one signal, which would otherwise accumulate listeners.
    until.removeEventListener('abort', end);
  }

  #send(id: string, begun: number, wait: number, byHand?: (seq: number) => void): void {
    const flight = this.#try(id, begun, wait, byHand).finally(() => this.#flying.delete(flight));
    this.#flying.add(flight);
  }

  async #try(id: string, begun: number, wait: number, byHand?: (seq: number) => void): Promise<void> {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
    const application = this.#world.tables.webhook_deliveries.get(id)?.application;
    if (application === undefined) return;
    const posted = await this.#lanes.run(application, async () => {
      const shape = this.#shape;
      const delivery = this.#world.tables.webhook_deliveries.get(id);
      if (delivery === undefined || this.#isClosed) return undefined;
      const { url, body, type } = delivery;
      return post(
        { application, url, body, type, now: this.#clock.now(), shape, delivery: id, byHand },
        this.#observers,
      );
    });
    // The delivery may have been dropped while it was queued or in progress.
    if (posted === undefined || this.#isClosed || !this.#world.tables.webhook_deliveries.has(id)) return;
    const attempts = [
      ...(this.#world.tables.webhook_deliveries.get(id)?.attempts ?? []),
      this.#attempt(posted),
    ];
    if (isDelivered(posted.outcome)) {
      this.#abandoned.delete(application);
      this.#update(id, { attempts, state: 'delivered' });
    } else if (this.#clock.now() + wait - begun > GIVE_UP_MS) {
      this.#update(id, { attempts, state: 'given-up' });
      this.#giveUp(application);
    } else {
      this.#update(id, { attempts });
      this.#timers.set(
        id,
        this.#clock.setTimeout(() => this.#send(id, begun, wait * 2), wait),
      );
    }
  }

  #giveUp(application: string): void {
    const count = (this.#abandoned.get(application) ?? 0) + 1;
    this.#abandoned.set(application, count);
    const { event_webhooks } = this.#world.tables;
    if (count < MAX_ABANDONED || !event_webhooks.has(application)) return;
    this.#transaction((writing) => writing.event_webhooks.update(application, { status: 'failing' }));
  }

  #transaction<T>(change: (writing: Writing) => T): T {
    return this.#world.always(() => this.#world.transaction(change));
  }

  #attempt({ headers, outcome }: Posted): Attempt {
    return { at: timestamp(this.#clock.now()), headers, outcome };
  }

  #remember(
    what: Pick<Delivery, 'application' | 'url' | 'type' | 'body'>,
    attempts: readonly Attempt[],
    delivered: boolean,
  ): Delivery {
    const waits = attempts.length === 0;
    // The memory limit does not apply: the table limits itself, and a received reply must be recorded.
    return this.#transaction(({ webhook_deliveries: table }) => {
      const id = this.#world.ids.next(this.#clock.now(), (one) => table.has(one));
      const row = table.insert({
        ...what,
        id,
        attempts,
        state: delivered ? 'delivered' : waits ? 'waiting' : 'given-up',
      });
      table.keepLast(MAX_REMEMBERED);
      return row;
    });
  }

  #update(id: string, fields: Partial<Delivery>): Delivery {
    return this.#transaction(({ webhook_deliveries }) => webhook_deliveries.update(id, fields));
  }
}

function isDelivered(outcome: Attempt['outcome']): boolean {
  return outcome.kind === 'answered' && outcome.status === NO_CONTENT;
}

function refusalOf(outcome: Attempt['outcome'], what: string, expected: number): string {
  return outcome.kind === 'answered'
    ? `answered ${what} with ${outcome.status}, not with ${expected}`
    : `gave no answer to ${what}: ${outcome.reason}`;
}

/** Access to the webhooks of applications. */
export interface HasWebhooks {
  readonly webhooks: Webhooks;
}
