import type { IncomingMessage } from 'node:http';
import type { Answer } from '../../api/operation.ts';
import type { HasViolations } from '../../api/violations.ts';
import type { Observers } from '../../applications/webhooks/post.ts';
import type { HasLog } from '../../kernel/log.ts';
import type { HasGateway } from '../gateway/gateway.ts';
import type { Answered, HttpApp } from './app.ts';
import type { Knowing } from './authenticate.ts';
import type { PageRule } from './browser.ts';
import type { Exchange } from './exchange.ts';
import type { Routes } from './routes.ts';

/** Services of an emulator that a server uses. */
export type Served = Knowing & HasGateway & HasLog & HasViolations & Observers;

/** One emulator behind a port: the one that owns the port, or a world below a prefix of the path. */
export class Site<Platform extends Served> {
  readonly platform: Platform;
  /** Empty, or the path before every path of the site, such as `/w/checkout`. */
  readonly prefix: string;
  /** Number of requests without an answer yet, and of all requests so far. */
  readonly requests = { open: 0, all: 0 };
  readonly #options: {
    readonly pageRule: PageRule;
    /** Base URL of the API. */
    readonly url: () => string;
    readonly routes: () => Promise<Routes<Platform>>;
  };
  #loading: Promise<HttpApp<Platform>> | undefined;
  #app: HttpApp<Platform> | undefined;

  constructor(
    platform: Platform,
    prefix: string,
    options: {
      readonly pageRule: PageRule;
      readonly url: () => string;
      readonly routes: () => Promise<Routes<Platform>>;
    },
  ) {
    this.platform = platform;
    this.prefix = prefix;
    this.#options = options;
  }

  /** Base URL of the API without a trailing slash. */
  get url(): string {
    return this.#options.url();
  }

  /**
   * Loads the code of the API. It is loaded when it is expected to be used, or with the first request, so that an idle
   * service uses little memory.
   */
  load(): Promise<HttpApp<Platform>> {
    this.#loading ??= this.#loadApp();
    return this.#loading;
  }

  async #loadApp(): Promise<HttpApp<Platform>> {
    // One after the other: the module loader of jest fails where modules that share others are loaded at once.
    const routes = await this.#options.routes();
    const { HttpApp } = await import('./app.ts');
    this.#app = new HttpApp(this.platform, this.#options.pageRule, routes);
    return this.#app;
  }

  async answer(request: IncomingMessage, exchange: Exchange | undefined): Promise<Answered> {
    const app = this.#app ?? (await this.load());
    const answered = await app.answer(request, this.url, exchange);
    return this.prefix === '' ? answered : { ...answered, reply: below(this.prefix, answered.reply) };
  }

  /** See {@link HttpApp.recognize}. */
  async recognize(request: IncomingMessage, exchange: Exchange | undefined): Promise<void> {
    (this.#app ?? (await this.load())).recognize(request, exchange);
  }

  /** Unsupported requests with their counts. */
  missing(): ReadonlyMap<string, number> {
    return this.#app?.missing ?? new Map();
  }
}

/** A reply whose absolute paths (redirects, cookies, links and forms of pages) lead to the same site. */
function below(prefix: string, reply: Answer): Answer {
  if ('path' in reply) return reply;
  const headers = Object.entries(reply.headers ?? {}).map(([name, value]) => {
    if (name === 'Location' && String(value).startsWith('/')) return [name, prefix + String(value)];
    if (name === 'Set-Cookie' && Array.isArray(value))
      return [name, value.map((cookie: string) => cookie.replace('; Path=/', `; Path=${prefix}/`))];
    return [name, value];
  });
  const moved = { ...reply, headers: Object.fromEntries(headers) } as Answer;
  return 'html' in moved
    ? { ...moved, html: moved.html.replaceAll(/ (action|href)="\//g, ` $1="${prefix}/`) }
    : moved;
}
