/** Members that this module uses of the page to which the window was redirected. */
interface AnswerPage {
  /** Absent in Node. */
  readonly location?: { readonly search: string };
  close(): void;
}

/**
 * Passes the answer in this page's address to the game that waits in another window of the browser, and closes this
 * page's window. Returns false when the address contains no answer.
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

/**
 * Returns the name of the channel. Only pages of the same origin can listen on it, and only the page that created the
 * state knows the name.
 */
function channelOf(state: string): string {
  return `footbridge-authorize-${state}`;
}
