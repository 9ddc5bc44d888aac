import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Store } from '../../src/emulator/accounts/oauth2/storage/store.ts';
import { EncodedList } from '../../src/emulator/api/encoded-list.ts';
import { composePlatform, type Parts } from '../../src/emulator/compose/compose-platform.ts';
import type { EmulatorOptions } from '../../src/emulator/compose/emulator-options.ts';
import type { Platform } from '../../src/emulator/compose/platform.ts';
import { platformRoutes } from '../../src/emulator/compose/reference.ts';
import { HttpApp } from '../../src/emulator/serve/http/app.ts';
import { ManualClock } from './manual-clock.ts';

/** Who asks: a connection of its own, and its credentials. */
export interface Asker {
  readonly name: string;
  readonly authorization?: string;
}

/** A platform on a clock that stands still, whose HTTP API is asked without sockets. */
export class AskedPlatform {
  readonly parts: Parts;
  readonly #app: HttpApp<Platform>;
  readonly #sockets = new Map<string, object>();

  private constructor(parts: Parts) {
    this.parts = parts;
    this.#app = new HttpApp(parts.platform, () => false, platformRoutes());
  }

  static async of(fixture: EmulatorOptions['fixture'], storage: Store): Promise<AskedPlatform> {
    const consent = { policy: 'allow' } as const;
    return new AskedPlatform(await composePlatform({ fixture, storage, clock: new ManualClock(), consent }));
  }

  /** Status and text of the answer: `GET /users/@me`. */
  async ask({ name, authorization }: Asker, what: string, json?: unknown): Promise<string> {
    const [method, path] = what.split(' ');
    const socket = this.#sockets.get(name) ?? { remoteAddress: '127.0.0.1' };
    this.#sockets.set(name, socket);
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
    const body = Readable.from(json === undefined ? [] : [Buffer.from(JSON.stringify(json))]);
    const request = Object.assign(body, { method, url: `/api/v10${path}`, socket, headers });
    const { reply } = await this.#app.answer(request as unknown as IncomingMessage, 'http://127.0.0.1/api');
    const answer = 'body' in reply ? reply.body : undefined;
    return `${reply.status} ${answer instanceof EncodedList ? answer.toString() : JSON.stringify(answer)}`;
  }
}
