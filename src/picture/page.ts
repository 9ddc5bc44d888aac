import { LocalError } from '../base/local-error.ts';
import { type Chromium, within } from './chromium.ts';
import { WINDOW_HEIGHT } from './size.ts';

/** What a picture shows, and how. */
export interface PictureRequest {
  /** Id of the message. */
  readonly message: string;
  /** Id or name of the user who sees it; default: the logged-in user. */
  readonly user?: string | undefined;
  /** `surface`: the whole message and nothing else; `viewport`: what a window of that width and 600 pixels shows. */
  readonly part: 'surface' | 'viewport';
  readonly theme: 'light' | 'dark';
  /** Width in pixels. */
  readonly width: number;
}

/** A drawn message. */
export interface Drawing {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Families of the fonts that were used, in the order of the alphabet. */
  readonly fonts: readonly string[];
}

/** Maximum height of a picture in pixels: the largest that browsers draw. */
const MAX_HEIGHT = 16_384;
/** Time limit for one picture (ms). */
const PICTURE_MS = 15_000;

/** The address of a console that a browser may enter, with the cookie that lets it in. */
export interface Entrance {
  readonly origin: string;
  readonly cookie: { readonly name: string; readonly value: string };
}

/** Exchanges a one-time address of a console for the cookie of a session, as a browser does. */
export async function enter(address: string): Promise<Entrance> {
  const response = await fetch(address);
  await response.arrayBuffer();
  const [, name = '', value = ''] =
    /^([\w-]+)=([\w-]+);/.exec(response.headers.get('set-cookie') ?? '') ?? [];
  return { origin: new URL(address).origin, cookie: { name, value } };
}

/** A page of the browser that shows one message after another. */
export class PicturePage {
  readonly #origin: string;
  readonly #send: (method: string, params?: object) => Promise<Readonly<Record<string, unknown>>>;
  #drawn = 0;

  private constructor(
    origin: string,
    send: (method: string, params?: object) => Promise<Readonly<Record<string, unknown>>>,
  ) {
    this.#origin = origin;
    this.#send = send;
  }

  /** Opens a page whose clock shows UTC, whose language is English, and in which nothing moves. */
  static open(chromium: Chromium, entrance: Entrance): Promise<PicturePage> {
    return within(PICTURE_MS, PicturePage.#open(chromium, entrance));
  }

  static async #open({ pipe }: Chromium, { origin, cookie }: Entrance): Promise<PicturePage> {
    const { targetId } = await pipe.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await pipe.send('Target.attachToTarget', { targetId, flatten: true });
    const send = (method: string, params: object = {}) => pipe.send(method, params, String(sessionId));
    await Promise.all([
      send('Page.enable'),
      send('DOM.enable'),
      send('CSS.enable'),
      send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' }),
      send('Emulation.setLocaleOverride', { locale: 'en-US' }),
      send('Network.setCookie', { ...cookie, url: origin, httpOnly: true, sameSite: 'Strict' }),
    ]);
    return new PicturePage(origin, send);
  }

  /** Draws a message at a time in ms since the Unix epoch. Throws `LocalError` FOOTBRIDGE_PICTURE, with the page's reason. */
  draw(request: PictureRequest, now: number): Promise<Drawing> {
    return within(PICTURE_MS, this.#draw(request, now));
  }

  async #draw({ message, user, part, theme, width }: PictureRequest, now: number): Promise<Drawing> {
    this.#drawn += 1;
    const options = new URLSearchParams({
      theme,
      now: String(now),
      drawing: String(this.#drawn),
      ...(user === undefined ? {} : { as: user }),
    });
    const metrics = { width, height: WINDOW_HEIGHT, deviceScaleFactor: 1, mobile: false };
    const features = [
      { name: 'prefers-color-scheme', value: theme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ];
    await Promise.all([
      this.#send('Emulation.setDeviceMetricsOverride', metrics),
      this.#send('Emulation.setEmulatedMedia', { media: 'screen', features }),
    ]);
    // A new fragment of the same page: only the first picture loads the page.
    await this.#send('Page.navigate', {
      url: `${this.#origin}/#/picture/${encodeURIComponent(message)}?${options.toString()}`,
    });
    const { problem, height } = await this.#evaluate<Drawn>(untilDrawn(this.#drawn));
    if (problem !== null) throw new LocalError('FOOTBRIDGE_PICTURE', `A picture: ${problem}`);
    const shownHeight =
      part === 'viewport' ? WINDOW_HEIGHT : Math.min(MAX_HEIGHT, Math.max(1, Math.ceil(height)));
    const { data } = await this.#send('Page.captureScreenshot', {
      format: 'png',
      clip: { x: 0, y: 0, width, height: shownHeight, scale: 1 },
      captureBeyondViewport: shownHeight > WINDOW_HEIGHT,
    });
    const fonts = await this.#fonts();
    return { png: Buffer.from(String(data), 'base64'), width, height: shownHeight, fonts };
  }

  async #evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined)
      throw new LocalError('FOOTBRIDGE_PICTURE', 'A picture: the page failed while it was drawn');
    return (result as { readonly value: T }).value;
  }

  async #fonts(): Promise<readonly string[]> {
    const { root } = (await this.#send('DOM.getDocument', { depth: 0 })) as unknown as Document;
    const { nodeIds } = (await this.#send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: '.picture-page, .picture-page *',
    })) as unknown as { readonly nodeIds: readonly number[] };
    const used = await Promise.all(
      nodeIds.map((nodeId) => this.#send('CSS.getPlatformFontsForNode', { nodeId })),
    );
    const families = used.flatMap(({ fonts }) =>
      (fonts as readonly { readonly familyName: string }[]).map(({ familyName }) => familyName),
    );
    return [...new Set(families)].sort();
  }
}

interface Document {
  readonly root: { readonly nodeId: number };
}

interface Drawn {
  readonly problem: string | null;
  readonly height: number;
}

/** Expression that waits until the page has drawn that picture, or says why it cannot. */
function untilDrawn(drawing: number): string {
  // A page that has just begun to load has no root yet, so the document is observed.
  return `new Promise((resolve) => {
    const look = () => {
      const { drawn, problem = null } = document.documentElement?.dataset ?? {};
      if (drawn !== '${drawing}') return;
      observer.disconnect();
      resolve({ problem, height: document.querySelector('.picture-page')?.getBoundingClientRect().height ?? 0 });
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { attributeFilter: ['data-drawn'], subtree: true });
    look();
  })`;
}
