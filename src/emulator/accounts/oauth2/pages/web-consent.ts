import { setImmediate as nextTurn } from 'node:timers/promises';
import { anybodyMayAnswer } from '../../../api/waiting-request.ts';
import type { KnownApplication } from '../../../applications/applications.ts';
import type { MachineClock } from '../../../kernel/clock.ts';
import type { RequestQueue } from '../../consent/queue.ts';
import { OAuth2Error } from '../error.ts';
import type { OAuth2 } from '../oauth2.ts';
import { Browsers } from './browsers.ts';
import { type PageOwner, type Pending, PendingPages, type Progress } from './pending.ts';
import { WaitingPage } from './waiting-page.ts';
import { answerAddress, type WebRequest } from './web-request.ts';

/** Services for consent in a browser. */
export interface WebConsentOptions {
  /** The machine's clock for sessions and forms, because the emulator's clock may stand still. */
  readonly machine: MachineClock;
  readonly oauth2: OAuth2;
  readonly requests: RequestQueue;
  /** Minimum time a page must be visible before its Allow counts, in milliseconds. */
  readonly readingMs: number;
}

/** Effect of a pressed button. */
export type Pressed =
  /** The form has expired or is unknown. */
  | { readonly kind: 'dead' }
  /** The Allow came too early. The request needs a new page that keeps the choices of this one. */
  | { readonly kind: 'early'; readonly request: WebRequest }
  /** The request proceeds, because of this press or an earlier one. */
  | { readonly kind: 'accepted' };

const DENIED = { error: 'access_denied', error_description: 'The user denied the request.' } as const;

/**
 * Authorization in a browser. Every request joins the queue of the apps' requests. In a signed-in browser an Allow on
 * the page decides. In any other browser an Allow only queues the request, and `footbridge approve` decides.
 */
export class WebConsent {
  readonly browsers: Browsers;
  /** Pages for user codes of devices. */
  readonly devicePages: PendingPages<string>;
  readonly #options: WebConsentOptions;
  readonly #pages: PendingPages<WebRequest>;

  constructor(options: WebConsentOptions) {
    this.#options = options;
    this.browsers = new Browsers(options.machine);
    this.#pages = new PendingPages(options.machine, options.readingMs);
    this.devicePages = new PendingPages(options.machine, options.readingMs);
  }

  /** The location that the browser goes to if the request needs no prompt; undefined if it needs one. */
  async withoutPrompt(request: WebRequest, signal: AbortSignal): Promise<string | undefined> {
    const { oauth2 } = this.#options;
    const { options, transport } = request;
    const { clientId, scopes, prompt } = options;
    const isAnswered =
      oauth2.policyFor(clientId) !== 'ask' ||
      (prompt === 'none' && oauth2.isRemembered({ clientId, scopes, transport }));
    return isAnswered ? this.#run(request, 'page', signal) : undefined;
  }

  /** Minimum time a page must be visible before its Allow counts, in milliseconds. */
  get readingMs(): number {
    return this.#options.readingMs;
  }

  /**
   * Opens a page for a request and returns the single-use token of the page's form. `session` identifies a signed-in
   * browser.
   */
  addPage(request: WebRequest, session: string | undefined): string {
    return this.#pages.add(request, pageOwner(request.known, session));
  }

  /**
   * Carries out the request of a program until it is settled, and returns the location for a browser. The request also
   * ends when the program disconnects.
   */
  answered(request: WebRequest, decision: 'allow' | 'deny', signal: AbortSignal): Promise<string> {
    if (decision === 'allow') return this.#run(request, 'api', signal);
    return Promise.resolve(answerAddress(request, DENIED));
  }

  drop(token: string): void {
    this.#pages.drop(token);
  }

  find(token: string): Pending<WebRequest> | undefined {
    return this.#pages.find(token);
  }

  /** Drops every open page. Called when the account changes. */
  dropAll(): void {
    this.#pages.dropAll();
    this.devicePages.dropAll();
  }

  /** Handles a pressed button, with the chosen guild or channel. */
  decide(
    token: string,
    pressed: {
      readonly decision: 'allow' | 'deny';
      readonly guildId?: string | undefined;
      readonly webhookChannelId?: string | undefined;
      readonly isSignedIn: boolean;
    },
  ): Pressed {
    const pending = this.#pages.find(token);
    if (pending === undefined) return { kind: 'dead' };
    if (pending.progress.kind !== 'shown') return { kind: 'accepted' };
    const { decision, guildId, webhookChannelId, isSignedIn } = pressed;
    const request = withChannel(withGuild(pending.request, guildId), webhookChannelId);
    if (decision === 'deny') {
      pending.progress = { kind: 'settled', location: answerAddress(request, DENIED) };
      return { kind: 'accepted' };
    }
    if (this.#pages.isTooEarly(pending)) {
      this.#pages.drop(token);
      return { kind: 'early', request };
    }
    this.#leaveOthers(request);
    const { machine } = this.#options;
    // The timeout of page reloads is real time, without the time that tests add.
    const page = new WaitingPage(machine.guard ?? machine);
    pending.progress = { kind: 'asked', page };
    void this.#run(request, pending.id, page.signal).then((location) => {
      page.end();
      pending.progress = { kind: 'settled', location };
    });
    if (isSignedIn) this.allow(pending.id);
    return { kind: 'accepted' };
  }

  /** Progress of a page's request after a pressed button has taken effect. */
  async progress(pending: Pending<WebRequest>): Promise<Progress> {
    if (pending.progress.kind === 'asked') pending.progress.page.seen();
    // A decision without a prompt settles within a few turns of the event loop.
    for (let turn = 0; turn < 20 && pending.progress.kind === 'asked'; turn += 1) {
      await nextTurn();
    }
    return pending.progress;
  }

  /**
   * Withdraws earlier requests of the same application and origin. Their pages may have lost the connection, so nothing
   * else would close them.
   */
  #leaveOthers({ options: { clientId }, transport }: WebRequest): void {
    for (const { progress, request } of this.#pages.all()) {
      const isSame = request.options.clientId === clientId && request.transport === transport;
      if (progress.kind === 'asked' && isSame) progress.page.leave();
    }
  }

  /** The id of a page's request in the queue, for `footbridge approve`; undefined when the request is not waiting. */
  waitingId(pendingId: string): string | undefined {
    return this.#options.requests
      .list()
      .find((one) => one.kind === 'authorization' && one.peer.sessionId === pendingId)?.id;
  }

  /** Allows the request of a page on behalf of the signed-in user. */
  allow(pendingId: string): void {
    const id = this.waitingId(pendingId);
    // The signed-in browser belongs to the user. The answerer is not known more precisely.
    if (id !== undefined) {
      this.#options.requests.answer(id, { answer: 'allow', by: { via: 'browser' } }, anybodyMayAnswer);
    }
  }

  /** Carries out a request until it is settled, and returns the browser's location; never rejects. */
  async #run(request: WebRequest, sessionId: string, signal: AbortSignal): Promise<string> {
    const { oauth2 } = this.#options;
    const { options, responseType, transport, program } = request;
    const authorization = { ...options, peer: { transport, sessionId, program }, signal };
    try {
      if (responseType === 'token')
        return answerAddress(request, { ...(await oauth2.authorizeAccess(authorization)) });
      const { state: _, ...answer } = await oauth2.authorize(authorization);
      return answerAddress(request, answer);
    } catch (error) {
      if (!(error instanceof OAuth2Error)) throw error;
      return answerAddress(request, { error: error.error, error_description: error.description });
    }
  }
}

function withGuild(request: WebRequest, guildId: string | undefined): WebRequest {
  if (guildId === undefined || request.isGuildFixed) return request;
  return { ...request, options: { ...request.options, guildId } };
}

function withChannel(request: WebRequest, webhookChannelId: string | undefined): WebRequest {
  if (webhookChannelId === undefined) return request;
  return { ...request, options: { ...request.options, webhookChannelId } };
}

/** The owner whose limit of pages a page counts towards. */
export function pageOwner(known: KnownApplication | undefined, session: string | undefined): PageOwner {
  if (session !== undefined) return { kind: 'browser', session };
  return known?.origin === 'fixture' ? { kind: 'application', id: known.record.id } : { kind: 'unlisted' };
}

/** Access to consent in a browser. */
export interface HasWebConsent {
  readonly web: WebConsent;
}
