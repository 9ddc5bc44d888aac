import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { mediaAddress } from '../../data/media.ts';
import { Message } from '../../message/message.ts';
import { usePageAddress } from '../../shell/pages.ts';

interface Drawing {
  readonly number: string;
  readonly view: Awaited<ReturnType<typeof call<'message.view'>>>;
}

/**
 * The address `#/picture/MESSAGE?as=USER&theme=dark&now=MS&drawing=1`: one message alone, as a user sees it at a time of the emulator's clock, and nothing that could be used. The number
 * of the drawing appears at the document once all of it is drawn, with the reason where it cannot be.
 */
export function Picture(): VNode {
  const { rest: id, query } = usePageAddress();
  const number = query.get('drawing') ?? '';
  const user = query.get('as') ?? undefined;
  const [drawing, setDrawing] = useState<Drawing | undefined>(undefined);
  const theme = query.get('theme') ?? 'light';
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  useEffect(() => {
    call('message.view', { message: id, ...(user === undefined ? {} : { user }) }).then(
      (view) => setDrawing({ number, view }),
      (error: unknown) => report(number, (error as Error).message),
    );
  }, [id, user, number]);
  useEffect(() => {
    if (drawing !== undefined) void untilPainted().then(() => report(drawing.number, undefined));
  }, [drawing]);
  if (drawing === undefined) return html`<main class="picture-page"></main>` as VNode;
  const { view } = drawing;
  return html`<main class="picture-page">
    <${Message} key=${drawing.number} drawn=${view} names=${view} media=${mediaAddress} now=${Number(query.get('now'))} isContinued=${false} />
  </main>` as VNode;
}

/** Resolves when fonts and images are there and the browser has drawn a frame with them. */
async function untilPainted(): Promise<void> {
  await document.fonts.ready;
  // A large message is drawn in a later turn.
  do await nextFrame();
  while (document.querySelector('[aria-busy=true]') !== null);
  // An image that cannot be decoded is drawn as that.
  await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  await nextFrame();
}

function nextFrame(): Promise<unknown> {
  return new Promise(requestAnimationFrame);
}

function report(number: string, problem: string | undefined): void {
  const { dataset } = document.documentElement;
  if (problem === undefined) delete dataset['problem'];
  else dataset['problem'] = problem;
  dataset['drawn'] = number;
}
