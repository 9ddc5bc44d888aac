import type { IncomingMessage } from 'node:http';
import { clientIdOfBotToken, worldOfBotToken } from '../../applications/bot.ts';
import { isSameSecret } from '../../kernel/secrets.ts';
import type { Served, Site } from './site.ts';
import { unknownWorldText } from './unknown-world.ts';

/** Path of a world's site: `/w/NAME`, and the path within the world. */
const WORLD = /^\/w\/([^/?]{1,64})(?=[/?]|$)(.*)$/s;
/** Path with the token of an interaction or of a webhook, which stands for credentials. */
const TOKEN_PATH = /^\/api(?:\/v\d+)?\/(interactions|webhooks)\/(\d+)\/([^/?]+)/;

/** The emulators behind one port: the one that owns the port, and the worlds. */
export class Sites<Platform extends Served> {
  readonly own: Site<Platform>;
  readonly #worlds = new Map<string, Site<Platform>>();

  constructor(own: Site<Platform>) {
    this.own = own;
  }

  add(name: string, site: Site<Platform>): void {
    this.#worlds.set(name, site);
  }

  delete(name: string): void {
    this.#worlds.delete(name);
  }

  /**
   * The site that a request is for: the one in its path, which is taken from the request's URL; else the world that its
   * token is of; else the owner of the port. A text is the reason why there is none.
   */
  of(request: IncomingMessage): Site<Platform> | string {
    const { url = '' } = request;
    const [, name, rest = ''] = url.startsWith('/w/') ? (WORLD.exec(url) ?? []) : [];
    if (name === undefined) return this.#worlds.size === 0 ? this.own : (this.#byToken(request) ?? this.own);
    const site = this.#worlds.get(name);
    if (site === undefined) return unknownWorldText(name, [...this.#worlds.keys()]);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    return site;
  }

  #byToken({ url = '', headers }: IncomingMessage): Site<Platform> | undefined {
    const [, scheme = '', token = ''] = /^(Bot|Bearer) (\S{1,512})$/i.exec(headers.authorization ?? '') ?? [];
    if (scheme.toLowerCase() === 'bot') return this.#ofBot(token);
    if (token !== '')
      return this.#first(({ platform }) => platform.oauth2.introspect(token).state === 'active');
    const [, kind, id = '', secret = ''] = TOKEN_PATH.exec(url) ?? [];
    if (kind === undefined) return undefined;
    return this.#first(({ platform }) => {
      const { interactions, channel_webhooks } = platform.world.tables;
      if (kind === 'webhooks' && channel_webhooks.get(id)?.token === secret) return true;
      const [, begun = ''] = /^interaction:(\d+):/.exec(Buffer.from(secret, 'base64url').toString()) ?? [];
      return interactions.get(begun)?.token === secret;
    });
  }

  #ofBot(token: string): Site<Platform> | undefined {
    const named = worldOfBotToken(token);
    if (named !== undefined) return this.#worlds.get(named);
    const application = clientIdOfBotToken(token) ?? '';
    return this.#first(({ platform }) => {
      const stated = platform.world.tables.applications.get(application)?.bot_token;
      return typeof stated === 'string' && isSameSecret(token, stated);
    });
  }

  /** The first site for which a test holds; the owner of the port comes before the worlds. */
  #first(holds: (site: Site<Platform>) => boolean): Site<Platform> | undefined {
    if (holds(this.own)) return this.own;
    for (const site of this.#worlds.values()) if (holds(site)) return site;
    return undefined;
  }
}
