import { isRecord, isSame } from '../../../../src/conformance/schema.ts';
import type { Behaviour, ErrorKind, Problem } from './behaviour.ts';
import { type Answer, failure, handlers } from './commands.ts';
import type { Service } from './service.ts';

/** Pseudo-opcode: what follows in this tick is written together. */
export const JOIN = -1;

/** Text of the PING with which a client says that it reads streams. */
export const STREAMS = 'reference reads streams';

/** What a session needs of its transport. */
export interface Wire {
  readonly kind: 'ipc' | 'websocket';
  send(opcode: number, body: string | Buffer): void;
  end(): void;
  destroy(): void;
}

/** What sessions share. */
export interface World {
  readonly behaviour: Behaviour;
  readonly service: Service;
  readonly sessions: Set<Session>;
  /** Ends the whole server, as a crash would. */
  crash(): void;
  /** Lasts longer than the server, as a file does. */
  readonly memory: Set<string>;
}

interface Subscription {
  readonly evt: string;
  readonly args: unknown;
}

const USER = {
  id: '200000000000000001',
  username: 'tester',
  discriminator: '0',
  global_name: 'Tester',
  avatar: 'abc',
  avatar_decoration_data: null,
  bot: false,
  flags: 0,
  premium_type: 0,
};

/** One app, once its client id is known. */
export class Session {
  readonly world: World;
  readonly wire: Wire;
  readonly clientId: string;
  readonly subscriptions: Subscription[] = [];
  scopes: ReadonlySet<string> = new Set();
  token: string | undefined;
  isClosed = false;
  isAuthorizing = false;
  #answers = 0;

  constructor(world: World, wire: Wire, clientId: string) {
    this.world = world;
    this.wire = wire;
    this.clientId = clientId;
    world.sessions.add(this);
  }

  has(trait: string): boolean {
    return this.world.behaviour.traits.has(trait);
  }

  get user(): Record<string, unknown> {
    return this.has('odd-user')
      ? { ...USER, id: 'me' }
      : this.has('short-user')
        ? { id: USER.id, username: 'x' }
        : USER;
  }

  get #api(): string {
    if (this.has('dead-api')) return '//127.0.0.1:9/api';
    if (this.has('own-api')) return this.world.service.tokenEndpoint.replace(/^http:|\/oauth2\/token$/g, '');
    return this.has('absolute-api') ? 'https://discord.com/api' : '//discord.com/api';
  }

  welcome(): void {
    const config = {
      cdn_host: 'cdn.discordapp.com',
      api_endpoint: this.#api,
      environment: 'production',
    };
    const withUser = this.wire.kind === 'ipc' || this.has('user-everywhere');
    const data = {
      v: this.has('ready-v2') ? 2 : 1,
      config: this.has('no-api') ? { ...config, api_endpoint: undefined } : config,
      user: withUser ? this.user : undefined,
      footbridge:
        this.wire.kind === 'ipc' ? { stream_ping: this.has('no-notice-text') ? 1 : STREAMS } : undefined,
      padding: this.has('huge-ready') ? 'x'.repeat(20_000) : undefined,
    };
    const nonce = this.has('ready-nonce') ? 'ready' : this.has('ready-without-nonce') ? undefined : null;
    const cmd = this.has('no-ready') ? 'WELCOME' : 'DISPATCH';
    this.send({ cmd, data, evt: 'READY', nonce });
    if (this.has('ready-twice')) this.send({ cmd, data, evt: 'READY', nonce });
    if (this.world.memory.has(this.clientId)) this.dispatch('CURRENT_USER_UPDATE', this.user);
  }

  send(payload: unknown): void {
    if (!this.isClosed) this.wire.send(1, JSON.stringify(payload));
  }

  dispatch(evt: string, data: unknown): void {
    const nonce = this.has('event-nonce') ? 'event' : null;
    this.send({ cmd: 'DISPATCH', data, evt, nonce });
  }

  /** Sends an event to every session that asked for it. */
  publish(evt: string, data: unknown): void {
    for (const session of this.world.sessions) {
      if (session === this && this.has('not-to-self')) continue;
      if (session !== this && this.has('only-to-self')) continue;
      const times = session.subscriptions.filter((one) => one.evt === evt).length;
      const count = this.has('broadcast') ? 1 : times;
      for (let index = 0; index < count; index++) session.dispatch(evt, data);
    }
  }

  problem(problem: Problem): void {
    const reaction = this.world.behaviour.problems[problem];
    if (reaction === 'crash') this.world.crash();
    else if (reaction === 'destroy') this.wire.destroy();
    else if (reaction !== 'ignore') this.close(reaction.close, reaction.message ?? problem);
  }

  close(code: number, message: string): void {
    if (this.isClosed) return;
    const body = this.has('close-as-text') ? { code: String(code), reason: message } : { code, message };
    this.wire.send(2, JSON.stringify(body));
    if (!this.has('stays-open')) {
      this.isClosed = true;
      this.world.sessions.delete(this);
      this.wire.end();
    }
  }

  gone(): void {
    this.isClosed = true;
    this.world.sessions.delete(this);
  }

  /** A FRAME of the app. */
  onMessage(body: Buffer): void {
    if (this.isClosed) return;
    const text = body.toString('utf8');
    if (this.has('strict-utf8') && text.includes('\ufffd')) return this.problem('not-json');
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.problem(body.byteLength === 0 ? 'empty-body' : 'not-json');
      return;
    }
    if (this.has('crash-on-depth') && text.includes('[[[[[[')) this.world.crash();
    else if (!isRecord(value)) this.problem('not-object');
    else this.#onRequest(value, text);
  }

  #onRequest(request: Record<string, unknown>, text: string): void {
    const { cmd } = request;
    const nonce = typeof request['nonce'] === 'string' ? request['nonce'] : null;
    if (this.has('crash-on-huge-nonce') && (nonce?.length ?? 0) > 50_000) {
      this.world.crash();
      return;
    }
    if (this.has('polluted') && text.includes('"__proto__":{')) this.world.memory.add('polluted');
    if (this.has('strict-envelope') && (Object.hasOwn(request, 'trace') || request['evt'] === null)) {
      this.#answer(cmd, nonce, failure(4000));
      return;
    }
    if (this.has('short-nonces') && (nonce?.length ?? 0) > 100) {
      this.#answer(cmd, null, failure(4000));
      return;
    }
    if (this.has('unique-nonces') && nonce !== null && this.world.memory.has(`nonce ${nonce}`)) return;
    if (nonce !== null) this.world.memory.add(`nonce ${nonce}`);
    if (nonce === null && Object.hasOwn(request, 'nonce') && request['nonce'] !== null) {
      this.#fail('nonce-type', cmd, null);
      return;
    }
    const isNonceLate = this.has('command-first') && typeof cmd === 'string' && !handlers.has(cmd);
    if ((nonce === null || nonce === '') && !isNonceLate) {
      this.#fail('nonce', cmd, null);
      return;
    }
    if (typeof cmd !== 'string') {
      this.#fail('command-type', null, nonce);
      return;
    }
    if (cmd === 'DISPATCH') {
      this.#fail('dispatch', cmd, nonce);
      return;
    }
    const known = this.has('any-case') ? cmd.toUpperCase() : cmd;
    const handler = handlers.get(known);
    if (handler === undefined) {
      const isInherited = cmd in {};
      this.#fail(isInherited ? 'inherited-command' : 'unknown-command', cmd, nonce);
      return;
    }
    this.#answers++;
    if (this.has('rate-limited') && known === 'SET_ACTIVITY' && this.#answers > 5) return;
    const args = request['args'] ?? (this.has('args-required') ? undefined : {});
    if (!isRecord(args)) {
      this.#fail('args-type', cmd, nonce);
      return;
    }
    if (this.has('strict-args') && Object.keys(args).some((key) => ['trace', 'padding'].includes(key))) {
      this.#answer(cmd, nonce, failure(4000));
      return;
    }
    const isMissing = request['args'] === null && this.has('null-args-refused');
    this.#answer(
      cmd,
      nonce,
      isMissing ? failure(4000) : handler({ session: this, args, evt: request['evt'] }),
    );
  }

  #fail(kind: ErrorKind, cmd: unknown, nonce: string | null): void {
    this.#answer(cmd, nonce, { kind });
  }

  #echo(nonce: string | null): string | null {
    return this.has('ascii-nonces') ? (nonce?.replace(/[^\x20-\x7e]/g, '?') ?? null) : nonce;
  }

  #answer(cmd: unknown, nonce: string | null, answer: Answer): void {
    if (answer.kind !== undefined) {
      const reaction = this.world.behaviour.errors[answer.kind];
      if (reaction === 'crash') {
        this.world.crash();
        return;
      }
      if (reaction === 'ignore') return;
      const code = reaction === 'succeed' ? undefined : reaction;
      this.#reply(cmd, nonce, code === undefined ? { data: {} } : failure(code));
      return;
    }
    this.#reply(cmd, nonce, answer);
  }

  #reply(cmd: unknown, nonce: string | null, answer: Answer): void {
    const isError = answer.code !== undefined;
    const data = isError
      ? { code: answer.code, message: this.has('error-without-text') ? '' : 'refused' }
      : answer.data;
    const polluted = this.world.memory.has('polluted') ? 'y' : null;
    const payload: Record<string, unknown> = {
      cmd: this.has('wrong-cmd') ? 'REPLY' : cmd,
      data: data ?? null,
      evt: isError ? 'ERROR' : polluted,
      nonce: this.has('cuts-nonces') ? (nonce?.slice(0, 10) ?? null) : this.#echo(nonce),
    };
    if (this.has('three-keys')) delete payload['evt'];
    if (this.has('five-keys')) payload['trace'] = 1;
    if (this.has('padded')) payload['padding'] = 'x'.repeat(70_000);
    const size = this.has('amplified') ? 8000 : 0;
    if (size > 0) payload['data'] = { padding: 'x'.repeat(size) };
    if (answer.before === true) answer.then?.();
    if (this.has('together') && answer.then !== undefined) this.wire.send(JOIN, '');
    this.send(payload);
    if (this.has('answers-twice')) this.send(payload);
    if (answer.before !== true) answer.then?.();
    if (isError && this.has('error-is-final')) this.wire.destroy();
  }
}

/** True when a session already has this subscription. */
export function isSubscribed(session: Session, evt: string, args: unknown): boolean {
  return session.subscriptions.some((one) => one.evt === evt && isSame(one.args, args));
}
