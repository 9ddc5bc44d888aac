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

/** The token has not the scope that a command needs. */
const INVALID_PERMISSIONS = 4006;
const HEADLESS = '/users/@me/headless-sessions';
/** A session without a connection lasts for 20 minutes unless it is renewed. */
const RENEW_MS = 15 * 60_000;

/** Where an activity is shown. */
type Place =
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'chat' }
  | { readonly kind: 'session' }
  /** A session at the service that has no connection. */
  | {
      readonly kind: 'headless';
      readonly token: string;
      /** The access token by which it was made: nobody else ends it. */
      readonly by: string;
      readonly renewal: ReturnType<typeof setTimeout>;
    };

/** What the presence needs of the client. */
export interface PresenceHost {
  readonly log: Log;
  readonly service: Service;
  readonly session: { readonly gateway: Pick<Gateway, 'show'> };
  readonly applicationId: bigint;
  readonly token: string | undefined;
  readonly status: ClientStatus;
  /** The game has called `Disconnect`: nothing is shown. */
  readonly isDestroyed: boolean;
  readonly chat: {
    /** Whether the chat client is somebody else's: it would show them to do what the player does. */
    readonly isForeign: boolean;
    /** @throws ValidationError without an application. */
    need(): ChatClient;
  };
}

const NOWHERE: Place = { kind: 'nowhere' };

/**
 * What the player is shown to do, in one place: by the chat client where one runs and lets the game, else by the session, else
 * by one without a connection.
 */
export class Presence {
  readonly #host: PresenceHost;
  #activity: ActivityInput | undefined;
  #place: Place = NOWHERE;
  /** One after the other: the second renews what the first has made. */
  #asking: Promise<unknown> = Promise.resolve();

  constructor(host: PresenceHost) {
    this.#host = host;
  }

  /** Whether the chat client shows it, and so is who invites to it. */
  get isWithChat(): boolean {
    return this.#place.kind === 'chat';
  }

  get partyId(): string | undefined {
    return this.#activity?.party?.id ?? undefined;
  }

  /** Rejects as the place does where it is shown; with what the chat client says where it is shown nowhere. */
  async show(activity: ActivityInput): Promise<void> {
    const chat = this.#host.chat.need();
    this.#activity = activity;
    if (this.#host.chat.isForeign) return this.#showByService(activity, undefined);
    if (chat.rpc.state !== 'ready') {
      // Kept before the connection is asked for: without one it is shown as soon as there is one.
      const early: unknown = await chat.rpc.setActivity(activity).catch((error: unknown) => error);
      if ((early as Partial<ClientError> | null)?.code === 'FOOTBRIDGE_INVALID_ARGUMENT') throw early;
    }
    let missing: unknown;
    const rpc = await chat.need().catch((error: unknown) => {
      missing = error;
    });
    // Another one came after it, or that nothing is to be shown.
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
    await this.#showByService(activity, missing);
  }

  async #showByService(activity: ActivityInput, missing: unknown): Promise<void> {
    if (this.#host.isDestroyed) throw wasLeft();
    // One that is only being made begins with it.
    if (this.#host.status !== ClientStatus.Disconnected) return this.#moveTo({ kind: 'session' });
    if (this.#host.token === undefined) throw missing;
    await this.#host.service.waitedFor((signal) => within(this.#showHeadless(activity), HEADLESS, 0, signal));
  }

  clear(): void {
    this.#activity = undefined;
    this.#moveTo(NOWHERE);
  }

  /** What is to be shown of the player, as the service is told it. */
  get activity(): object | undefined {
    return this.#activity && gatewayActivity(this.#host.applicationId, this.#activity);
  }

  /** What a session shows of it: nothing where the chat client does. */
  forSession(): object | undefined {
    return this.#place.kind === 'chat' ? undefined : this.activity;
  }

  /** The session is there: it shows what nobody else does. */
  sessionReady(): void {
    if (this.#activity !== undefined && this.#place.kind !== 'chat') this.#moveTo({ kind: 'session' });
  }

  sessionGone(): void {
    if (this.#place.kind === 'session') this.#place = NOWHERE;
  }

  /** The chat client is there, and has been given what is to be shown. */
  async chatReady(chat: ChatClient): Promise<void> {
    const activity = this.#activity;
    if (this.#host.chat.isForeign) return this.leaveChat();
    if (activity === undefined || this.#place.kind === 'chat') return;
    try {
      await chat.rpc.setActivity(activity, chat.inTime);
      if (this.#activity === activity) this.#moveTo({ kind: 'chat' });
    } catch {
      // It does not let the game, or is gone again: it stays where it is.
    }
  }

  /** The chat client turns out to be somebody else's: what it was given to show is theirs no more. */
  leaveChat(): void {
    void this.#host.chat
      .need()
      .rpc.clearActivity()
      .catch(() => {});
    if (this.#place.kind === 'chat') this.#place = NOWHERE;
    if (this.#activity !== undefined && this.#place.kind === 'nowhere' && this.#host.token !== undefined)
      void this.#showByService(this.#activity, undefined).catch(() => {});
  }

  chatGone(): void {
    if (this.#place.kind !== 'chat') return;
    this.#place = NOWHERE;
    if (this.#activity !== undefined && this.#host.status === ClientStatus.Ready)
      this.#moveTo({ kind: 'session' });
  }

  /** Nothing of it is shown any more, until there is a connection again. */
  disconnected(): void {
    this.leave();
    this.#place = NOWHERE;
  }

  /** Ends what would go on without the client. */
  leave(): void {
    if (this.#place.kind !== 'headless') return;
    this.#end(this.#place);
    this.#place = NOWHERE;
  }

  /** There is another token. */
  async again(): Promise<void> {
    const activity = this.#activity;
    if (this.#host.isDestroyed || activity === undefined || this.#place.kind !== 'nowhere') return;
    if (this.#host.status !== ClientStatus.Disconnected) return;
    await this.#showHeadless(activity).catch(() => {});
  }

  #moveTo(place: Place): void {
    const before = this.#place;
    this.#place = place;
    if (before.kind === 'headless') this.#end(before);
    this.#host.session.gateway.show();
  }

  #showHeadless(activity: ActivityInput): Promise<void> {
    const asked = this.#asking.then(() => this.#renew(activity));
    this.#asking = asked.catch(() => {});
    return asked;
  }

  async #renew(activity: ActivityInput): Promise<void> {
    const { service, log, applicationId, token: by } = this.#host;
    if (this.#activity !== activity || this.#host.isDestroyed || by === undefined) return;
    const shown = { ...gatewayActivity(applicationId, activity), platform: 'desktop' };
    const ask = async (body: object): Promise<Readonly<Record<string, unknown>>> =>
      rawOf(await service.askAs(by, HEADLESS, { activities: [shown], ...body }));
    const old = this.#place;
    const isOld = old.kind === 'headless';
    // One that the service does not know any more is begun anew.
    const answer = await (isOld ? ask({ token: old.token }).catch(() => ask({})) : ask({}));
    const token = text(answer['token']);
    if (token === '') throw nonsense();
    log.hide(token);
    if (isOld) clearTimeout(old.renewal);
    const renewal = quietTimer(() => void this.#showHeadless(activity).catch(() => {}), RENEW_MS);
    const place = { kind: 'headless', token, by, renewal } as const;
    // Meanwhile it is shown elsewhere, or not at all, or of somebody else.
    const isElsewhere = this.#place !== old && this.#place.kind !== 'nowhere';
    const isGone = this.#host.isDestroyed || this.#host.token !== by;
    if (this.#activity === undefined || isElsewhere || isGone) return this.#end(place);
    this.#place = place;
  }

  #end({ token, by, renewal }: Extract<Place, { kind: 'headless' }>): void {
    clearTimeout(renewal);
    // Its end comes by itself otherwise.
    this.#host.service.askAs(by, `${HEADLESS}/delete`, { token }).catch(() => {});
  }
}

/** A page may show nothing by the chat client unless its token has the scope. */
export function lacksScope(error: unknown): boolean {
  return error instanceof RpcError && error.code === INVALID_PERMISSIONS;
}
