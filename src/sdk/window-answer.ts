/** What is used of the page that a window was led back to. */
interface AnswerPage {
  /** Absent in Node. */
  readonly location?: { readonly search: string };
  close(): void;
}

/**
 * Hands the answer in this page's address to the game that waits for it in another window of the browser, and closes this one.
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

/** Waits for what {@link answerAuthorize} hands over; the returned function ends that. */
export function hearAnswer(state: string, hear: (query: URLSearchParams) => void): () => void {
  const channel = new BroadcastChannel(channelOf(state));
  channel.onmessage = ({ data }: { readonly data: unknown }) => {
    if (typeof data === 'string') hear(new URLSearchParams(data));
  };
  return () => channel.close();
}

/** Only pages of the same origin hear it, and only the one that made the state knows it. */
function channelOf(state: string): string {
  return `footbridge-authorize-${state}`;
}
