import type { Environment, OsName } from '../../platform/endpoint/endpoints.ts';
import type { Native, NativeAbsence } from '../../platform/native/native.ts';
import type { ConsoleBackend } from '../console/backend.ts';
import { type Console, serveConsole } from '../console/console.ts';
import { type Chromium, startChromium } from './chromium.ts';
import { type Drawing, enter, PicturePage, type PictureRequest } from './page.ts';

/** A picture of a message, and what drew it. */
export interface Picture extends Drawing {
  /** Name and version of the browser. */
  readonly browser: string;
  /** False where the browser has no sandbox: for root. */
  readonly sandboxed: boolean;
}

/** Surroundings of the pictures. */
export interface PictureParts {
  readonly os: OsName;
  readonly uid: number | undefined;
  readonly native?: Native | NativeAbsence;
  readonly env: Environment;
  /** The bridge whose messages are drawn. */
  readonly backend: ConsoleBackend;
}

interface Studio {
  readonly console: Console;
  readonly chromium: Chromium;
  readonly page: PicturePage;
}

/**
 * Pictures of messages as the console draws them, by a browser of this machine that sees nothing but a console of its
 * own. The browser starts with the first picture and stays for the next ones, which are drawn one after another.
 */
export class Pictures {
  readonly #parts: PictureParts;
  #studio: Promise<Studio> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(parts: PictureParts) {
    this.#parts = parts;
  }

  /**
   * Draws a message. Throws the bridge's refusal for a message that this user cannot see, and `LocalError`
   * FOOTBRIDGE_NO_CHROMIUM or FOOTBRIDGE_PICTURE.
   */
  take(request: PictureRequest): Promise<Picture> {
    const taken = this.#last.then(() => this.#take(request));
    this.#last = taken.catch(() => undefined);
    return taken;
  }

  /** Ends the browser and its console. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #take(request: PictureRequest): Promise<Picture> {
    const { message, user } = request;
    const { backend } = this.#parts;
    // The bridge refuses before a browser starts.
    await backend.call('message.view', { message, ...(user === undefined ? {} : { user }) }, undefined);
    const { now } = (await backend.call('clock.now', {}, undefined)) as { readonly now: string };
    if (this.#isClosed) throw new Error('the bridge has ended');
    this.#studio ??= this.#open();
    try {
      const { page, chromium } = await this.#studio;
      const drawing = await page.draw(request, Date.parse(now));
      return { ...drawing, browser: chromium.product, sandboxed: chromium.isSandboxed };
    } catch (error) {
      // The next picture gets a browser of its own: this one may hang, or may have been ended from outside.
      await this.#end();
      throw error;
    }
  }

  async #open(): Promise<Studio> {
    const { os, uid, native, env, backend } = this.#parts;
    const chromium = await startChromium(os, env);
    let console: Console | undefined;
    try {
      console = await serveConsole(backend, { uid, ...(native && { native }) });
      const page = await PicturePage.open(chromium, await enter(console.address()));
      return { console, chromium, page };
    } catch (error) {
      console?.close();
      await chromium.end();
      throw error;
    }
  }

  async #end(): Promise<void> {
    const studio = await this.#studio?.catch(() => undefined);
    this.#studio = undefined;
    studio?.console.close();
    await studio?.chromium.end();
  }
}
