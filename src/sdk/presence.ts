import { type ClientError, RpcError } from '../client/errors.ts';
import type { ActivityInput } from '../client/index.ts';
import { quietTimer, within } from '../client/limit.ts';
import type { ChatClient } from './chat-client.ts';
import { ClientStatus } from './enums.ts';
import type { Gateway } from './gateway.ts';
import { gatewayActivity } from './gateway-activity.ts';
import type { Log } from './log.ts';
import { wasLeft } from './outcome.ts';
import { text } from './raw.ts';
import { nonsense, rawOf, type Service } from './service.ts';

/** RPC error code: the token lacks the scope that a command needs. */
const INVALID_PERMISSIONS = 4006;
const HEADLESS = '/users/@me/headless-sessions';
/**
 * Interval of the renewal of a headless session, which has no connection and ends after 20 minutes without a renewal.
 */
const RENEW_MS = 15 * 60_000;

/** Place where the activity is displayed now. */
type Display =
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'chat' }
  | { readonly kind: 'session' }
  /** A headless session at the service: a session without a connection. */
  | {
      readonly kind: 'headless';
      readonly token: string;
      /** Access token that created the headless session; only this token may end it. */
      readonly by: string;
      readonly renewal: ReturnType<typeof setTimeout>;
    };

/** Parts of the client that the presence needs. */
export interface PresenceHost {
  readonly log: Log;
  readonly service: Service;
  readonly session: { readonly gateway: Pick<Gateway, 'sendPresence'> };
  readonly applicationId: bigint;
  readonly token: string | undefined;
  readonly status: ClientStatus;
  /** Whether the game has called `Disconnect`; nothing is displayed then. */
  readonly isDestroyed: boolean;
  readonly chat: {
    /** Whether the chat client belongs to another user, who would then be shown with the player's activity. */
    readonly isForeign: boolean;
    /** @throws ValidationError when no application is set */
    need(): ChatClient;
  };
}

const NOWHERE: Display = { kind: 'nowhere' };

/**
 * The player's activity, displayed in one place: by the chat client when one runs and permits it, else by the session,
 * else by a headless session (a session without a connection).
 */
export class Presence {
  readonly #host: PresenceHost;
  #activity: ActivityInput | undefined;
  #display: Display = NOWHERE;
  /**
   * Serializes the requests for a headless session, so that the second request renews the session that the first has
   * created.
   */
  #renewing: Promise<unknown> = Promise.resolve();

  constructor(host: PresenceHost) {
    this.#host = host;
  }

  /** Whether the chat client displays the activity; invites to the activity then go through the chat client. */
  get isWithChat(): boolean {
    return this.#display.kind === 'chat';
  }

  get partyId(): string | undefined {
    return this.#activity?.party?.id ?? undefined;
  }

  /**
   * Displays an activity. Rejects with the error of the place that should display it; with the chat client's error when
   * no place can display it.
   */
  async display(activity: ActivityInput): Promise<void> {
    const chat = this.#host.chat.need();
    this.#activity = activity;
    if (this.#host.chat.isForeign) return this.#displayByService(activity, undefined);
    if (chat.rpc.state !== 'ready') {
      // The activity is stored in the RPC client before the wait for a connection; the connection displays it as soon
      // as it is ready.
      const early: unknown = await chat.rpc.setActivity(activity).catch((error: unknown) => error);
      if ((early as Partial<ClientError> | null)?.code === 'FOOTBRIDGE_INVALID_ARGUMENT') throw early;
    }
    let missing: unknown;
    const rpc = await chat.need().catch((error: unknown) => {
      missing = error;
    });
    // A later call has replaced or cleared this activity.
    if (this.#activity !== activity) return;
    if (rpc) {
      try {
        await rpc.setActivity(activity, chat.inTime);
        if (this.#activity === activity) this.#moveTo({ kind: 'chat' });
        return;
      } catch (error) {
        if (!lacksScope(error)) throw error;
        missing = error;
      }
    }
    await this.#displayByService(activity, missing);
  }

  async #displayByService(activity: ActivityInput, missing: unknown): Promise<void> {
    if (this.#host.isDestroyed) throw wasLeft();
    // A session that is still connecting sends the activity when it begins.
    if (this.#host.status !== ClientStatus.Disconnected) return this.#moveTo({ kind: 'session' });
    if (this.#host.token === undefined) throw missing;
    await this.#host.service.waitedFor((signal) =>
      within(this.#displayHeadless(activity), HEADLESS, 0, signal),
    );
  }

  clear(): void {
    this.#activity = undefined;
    this.#moveTo(NOWHERE);
  }

  /** The player's activity in the service's format. */
  get activity(): object | undefined {
    return this.#activity && gatewayActivity(this.#host.applicationId, this.#activity);
  }

  /** The activity for the session; undefined when the chat client displays it. */
  forSession(): object | undefined {
    return this.#display.kind === 'chat' ? undefined : this.activity;
  }

  /** Moves the activity to the new session, unless the chat client displays it. */
  sessionReady(): void {
    if (this.#activity !== undefined && this.#display.kind !== 'chat') this.#moveTo({ kind: 'session' });
  }

  sessionLost(): void {
    if (this.#display.kind === 'session') this.#display = NOWHERE;
  }

  /** Moves the activity to the new chat client. */
  async chatReady(chat: ChatClient): Promise<void> {
    const activity = this.#activity;
    if (this.#host.chat.isForeign) return this.leaveChat();
    if (activity === undefined || this.#display.kind === 'chat') return;
    try {
      await chat.rpc.setActivity(activity, chat.inTime);
      if (this.#activity === activity) this.#moveTo({ kind: 'chat' });
    } catch {
      // The chat client refuses the activity or has closed, so the current display remains.
    }
  }

  /** Clears the activity in a chat client that belongs to another user, and displays the activity by the service. */
  leaveChat(): void {
    void this.#host.chat
      .need()
      .rpc.clearActivity()
      .catch(() => {});
    if (this.#display.kind === 'chat') this.#display = NOWHERE;
    if (this.#activity !== undefined && this.#display.kind === 'nowhere' && this.#host.token !== undefined)
      void this.#displayByService(this.#activity, undefined).catch(() => {});
  }

  chatLost(): void {
    if (this.#display.kind !== 'chat') return;
    this.#display = NOWHERE;
    if (this.#activity !== undefined && this.#host.status === ClientStatus.Ready)
      this.#moveTo({ kind: 'session' });
  }

  /** Ends the display until the client has a connection again. */
  disconnected(): void {
    this.leave();
    this.#display = NOWHERE;
  }

  /** Ends a headless session, which would otherwise outlive the client. */
  leave(): void {
    if (this.#display.kind !== 'headless') return;
    this.#end(this.#display);
    this.#display = NOWHERE;
  }

  /** Displays the activity again after a change of token. */
  async again(): Promise<void> {
    const activity = this.#activity;
    if (this.#host.isDestroyed || activity === undefined || this.#display.kind !== 'nowhere') return;
    if (this.#host.status !== ClientStatus.Disconnected) return;
    await this.#displayHeadless(activity).catch(() => {});
  }

  #moveTo(display: Display): void {
    const before = this.#display;
    this.#display = display;
    if (before.kind === 'headless') this.#end(before);
    this.#host.session.gateway.sendPresence();
  }

  #displayHeadless(activity: ActivityInput): Promise<void> {
    const renewed = this.#renewing.then(() => this.#renew(activity));
    this.#renewing = renewed.catch(() => {});
    return renewed;
  }

  async #renew(activity: ActivityInput): Promise<void> {
    const { service, log, applicationId, token: by } = this.#host;
    if (this.#activity !== activity || this.#host.isDestroyed || by === undefined) return;
    const rendered = { ...gatewayActivity(applicationId, activity), platform: 'desktop' };
    const post = async (body: object): Promise<Readonly<Record<string, unknown>>> =>
      rawOf(await service.requestAs(by, HEADLESS, { activities: [rendered], ...body }));
    const old = this.#display;
    const isOld = old.kind === 'headless';
    // When the renewal fails because the headless session has expired, a new one is created.
    const answer = await (isOld ? post({ token: old.token }).catch(() => post({})) : post({}));
    const token = text(answer['token']);
    if (token === '') throw nonsense();
    log.hide(token);
    if (isOld) clearTimeout(old.renewal);
    const renewal = quietTimer(() => void this.#displayHeadless(activity).catch(() => {}), RENEW_MS);
    const created = { kind: 'headless', token, by, renewal } as const;
    // In the meantime the activity may have moved or ended, or the player may have changed.
    const isElsewhere = this.#display !== old && this.#display.kind !== 'nowhere';
    const isOutdated = this.#host.isDestroyed || this.#host.token !== by;
    if (this.#activity === undefined || isElsewhere || isOutdated) return this.#end(created);
    this.#display = created;
  }

  #end({ token, by, renewal }: Extract<Display, { kind: 'headless' }>): void {
    clearTimeout(renewal);
    // It expires anyway.
    this.#host.service.requestAs(by, `${HEADLESS}/delete`, { token }).catch(() => {});
  }
}

/** Whether the token of a page lacks the scope for a display by the chat client. */
export function lacksScope(error: unknown): boolean {
  return error instanceof RpcError && error.code === INVALID_PERMISSIONS;
}
