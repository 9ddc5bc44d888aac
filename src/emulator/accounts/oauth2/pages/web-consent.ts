import { anybodyMayAnswer } from '../../../api/waiting-request.ts';
import type { KnownApplication } from '../../../applications/applications.ts';
import type { MachineClock } from '../../../kernel/clock.ts';
import type { PeopleQueue } from '../../consent/queue.ts';
import { OAuth2Error } from '../error.ts';
import type { OAuth2 } from '../oauth2.ts';
import { Browsers } from './browsers.ts';
import { type PageOwner, type Pending, PendingPages, type Progress } from './pending.ts';
import { WaitingPage } from './waiting-page.ts';
import { answerAddress, type WebRequest } from './web-request.ts';

/** What consent on a page works with. */
export interface WebConsentOptions {
  /** Who is signed in, and for how long a form is good, goes by it: the emulator's clock may stand. */
  readonly machine: MachineClock;
  readonly oauth2: OAuth2;
  readonly people: PeopleQueue;
  /** How long a page must be visible before its Allow counts (ms). */
  readonly readingMs: number;
}

/** Effect of a pressed button. */
export type Pressed =
  /** The form is too old, or was never given out. */
  | { readonly kind: 'dead' }
  /** An Allow that nobody can have meant: the request belongs on a new page, with the choices made on this one. */
  | { readonly kind: 'early'; readonly request: WebRequest }
  /** The request goes on, now or since an earlier press. */
  | { readonly kind: 'accepted' };

const DENIED = { error: 'access_denied', error_description: 'The user denied the request.' } as const;

/**
 * Authorization in a browser. Every request is filed with those of apps. An Allow on the page is an answer only in a browser
 * that the person has signed in; in any other it files the request, and `footbridge approve` decides.
 */
export class WebConsent {
  readonly browsers: Browsers;
  /** User codes that stand on a page. */
  readonly devicePages: PendingPages<string>;
  readonly #options: WebConsentOptions;
  readonly #pages: PendingPages<WebRequest>;

  constructor(options: WebConsentOptions) {
    this.#options = options;
    this.browsers = new Browsers(options.machine);
    this.#pages = new PendingPages(options.machine, options.readingMs);
    this.devicePages = new PendingPages(options.machine, options.readingMs);
  }

  /** Where the browser goes at once when nobody has to be asked; undefined when somebody has. */
  async withoutAsking(request: WebRequest, signal: AbortSignal): Promise<string | undefined> {
    const { oauth2 } = this.#options;
    const { options, transport } = request;
    const { clientId, scopes, prompt } = options;
    const isAnswered =
      oauth2.policyFor(clientId) !== 'ask' ||
      (prompt === 'none' && oauth2.isRemembered({ clientId, scopes, transport }));
    return isAnswered ? this.#run(request, 'page', signal) : undefined;
  }

  /** How long a page must be visible before its Allow counts (ms). */
  get readingMs(): number {
    return this.#options.readingMs;
  }

  /** Puts a request on a page; returns the single-use token of its form. `session` names a signed-in browser. */
  show(request: WebRequest, session: string | undefined): string {
    return this.#pages.show(request, pageOwner(request.known, session));
  }

  /** The end of a request that a program makes for a browser: where the browser would go. It ends with the program's leaving. */
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

  /** Forgets every open page: what stands on it was for another account. */
  dropAll(): void {
    this.#pages.dropAll();
    this.devicePages.dropAll();
  }

  /** Somebody pressed a button of the page, and chose a guild or a channel where there is a choice. */
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
    // It is a browser's own time in which a page asks again, whatever a test has added to it.
    const page = new WaitingPage(machine.guard ?? machine);
    pending.progress = { kind: 'asked', page };
    void this.#run(request, pending.id, page.signal).then((location) => {
      page.end();
      pending.progress = { kind: 'settled', location };
    });
    if (isSignedIn) this.allow(pending.id);
    return { kind: 'accepted' };
  }

  /** How far the request of a page is, once what was pressed has had its effect. */
  async progress(pending: Pending<WebRequest>): Promise<Progress> {
    if (pending.progress.kind === 'asked') pending.progress.page.seen();
    // An answer that needs nobody is there a few turns of the loop later.
    for (let turn = 0; turn < 20 && pending.progress.kind === 'asked'; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return pending.progress;
  }

  /** A game that has given its window up cannot close one that is cut off: what that asked for gives way to what is asked now. */
  #leaveOthers({ options: { clientId }, transport }: WebRequest): void {
    for (const { progress, request } of this.#pages.all()) {
      const isSame = request.options.clientId === clientId && request.transport === transport;
      if (progress.kind === 'asked' && isSame) progress.page.leave();
    }
  }

  /** The id under which `footbridge approve` knows the request of a page; undefined when it waits for nobody. */
  waitingId(pendingId: string): string | undefined {
    return this.#options.people
      .list()
      .find((one) => one.kind === 'authorization' && one.peer.sessionId === pendingId)?.id;
  }

  /** Allows the request of a page in the name of whoever signed the browser in. */
  allow(pendingId: string): void {
    const id = this.waitingId(pendingId);
    // The browser is the person's own, which is what there is to know of who answers.
    if (id !== undefined) {
      this.#options.people.answer(id, { answer: 'allow', by: { via: 'browser' } }, anybodyMayAnswer);
    }
  }

  /** Runs a request to its end; never rejects. */
  async #run(request: WebRequest, sessionId: string, signal: AbortSignal): Promise<string> {
    const { oauth2 } = this.#options;
    const { options, responseType, transport, program } = request;
    const asked = { ...options, peer: { transport, sessionId, program }, signal };
    try {
      if (responseType === 'token')
        return answerAddress(request, { ...(await oauth2.authorizeAccess(asked)) });
      const { state: _, ...answer } = await oauth2.authorize(asked);
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

/** Whose page it is, for the places that pages take. */
export function pageOwner(known: KnownApplication | undefined, session: string | undefined): PageOwner {
  if (session !== undefined) return { kind: 'browser', session };
  return known?.origin === 'fixture' ? { kind: 'application', id: known.record.id } : { kind: 'unlisted' };
}

/** Authorization in a browser. */
export interface HasWebConsent {
  readonly web: WebConsent;
}
