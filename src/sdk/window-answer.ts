/** Members used of the page that the window was redirected to. */
interface AnswerPage {
  /** Absent in Node. */
  readonly location?: { readonly search: string };
  close(): void;
}

/**
 * Passes the answer in this page's address to the waiting game in another window of the browser, and closes this one.
 * False where there is no answer.
 */
export function answerAuthorize(): boolean {
  const page = globalThis as unknown as AnswerPage;
  const query = new URLSearchParams(page.location?.search);
  const state = query.get('state');
  if (!state || !(query.has('code') || query.has('error'))) return false;
  const channel = new BroadcastChannel(channelOf(state));
  channel.postMessage(query.toString());
  channel.close();
  page.close();
  return true;
}

/** Waits for the answer from {@link answerAuthorize}; the returned function ends the wait. */
export function onAnswer(state: string, receive: (query: URLSearchParams) => void): () => void {
  const channel = new BroadcastChannel(channelOf(state));
  channel.onmessage = ({ data }: { readonly data: unknown }) => {
    if (typeof data === 'string') receive(new URLSearchParams(data));
  };
  return () => channel.close();
}

/** Only pages of the same origin can listen, and only the one that created the state knows the name. */
function channelOf(state: string): string {
  return `footbridge-authorize-${state}`;
}
