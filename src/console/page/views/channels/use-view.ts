import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Operations } from '../../../../control/generated.ts';
import { call, callAny } from '../../data/api.ts';
import { takeSlot } from '../../data/long-slots.ts';
import { messageOf } from '../../parts/controls.ts';

/** A channel as one user sees it. */
export type View = Operations['channel.view']['result'];

/** Longest wait of one request for a change, and pause after one that was refused or did not wait (ms). */
const WAIT_MS = 10_000;
const AGAIN_MS = 1500;
/** Number of messages of one request. */
const PAGE = 50;

/** A view that follows the channel, with the messages before it that were requested. */
export interface FollowedView {
  readonly view: View | undefined;
  readonly problem: string | undefined;
  /** Requests the messages before the oldest one. */
  readonly older: () => Promise<unknown>;
}

/** Follows a channel as a user sees it, while the page is in front. */
export function useView(channel: string, user: string): FollowedView {
  const [view, setView] = useState<View | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [earlier, setEarlier] = useState<View | undefined>(undefined);
  const current = useRef('');
  current.current = `${channel} ${user}`;
  useEffect(() => {
    setView(undefined);
    setEarlier(undefined);
    setProblem(undefined);
    return followView({ channel, user }, (next, refusal) => {
      if (next !== undefined) setView(next);
      setProblem(refusal);
    });
  }, [channel, user]);
  const whole = useMemo(
    () => (view === undefined || earlier === undefined ? view : joined(earlier, view)),
    [view, earlier],
  );
  const older = async (): Promise<void> => {
    const before = whole?.messages[0]?.message.id;
    if (before === undefined) return;
    const place = current.current;
    const page = await call('channel.view', { channel, user, before, limit: PAGE });
    if (current.current !== place) return;
    setEarlier(earlier === undefined ? page : joined(page, earlier));
  };
  return { view: whole, problem, older };
}

/** The later view with the messages of an earlier one before its own. */
function joined(earlier: View, later: View): View {
  const first = later.messages[0]?.message.id;
  const messages = earlier.messages.filter(
    ({ message }) => first === undefined || BigInt(message.id) < BigInt(first),
  );
  return {
    ...later,
    messages: [...messages, ...later.messages],
    users: { ...earlier.users, ...later.users },
    roles: { ...earlier.roles, ...later.roles },
    channels: { ...earlier.channels, ...later.channels },
    more: earlier.more,
  };
}

/** Calls `taken` with each revision of a view until the returned function is called. */
function followView(
  args: { readonly channel: string; readonly user: string },
  taken: (view: View | undefined, problem: string | undefined) => void,
): () => void {
  const over = new AbortController();
  const follow = async (): Promise<void> => {
    let after: string | undefined;
    while (!over.signal.aborted) {
      await untilInFront(over.signal);
      const request = new AbortController();
      const stop = (): void => request.abort();
      // A page behind others asks for nothing: it would take one of the bridge's connections.
      const hide = (): void => {
        if (document.hidden) stop();
      };
      over.signal.addEventListener('abort', stop);
      document.addEventListener('visibilitychange', hide);
      // Where other pages and viewers hold all connections, a request does not wait.
      const release = after === undefined ? undefined : await takeSlot();
      try {
        const wait = release === undefined ? {} : { after, wait: WAIT_MS };
        const next = (await callAny(
          'channel.view',
          { ...args, limit: PAGE, ...wait },
          request.signal,
        )) as View;
        if (next.revision !== after && !over.signal.aborted) taken(next, undefined);
        if (release === undefined && after !== undefined) await pause(AGAIN_MS);
        after = next.revision;
      } catch (error) {
        if (!request.signal.aborted) {
          taken(undefined, messageOf(error));
          after = undefined;
          await pause(AGAIN_MS);
        }
      } finally {
        release?.();
        over.signal.removeEventListener('abort', stop);
        document.removeEventListener('visibilitychange', hide);
      }
    }
  };
  void follow();
  return () => over.abort();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Resolves when the page is in front, or when `signal` aborts. */
async function untilInFront(signal: AbortSignal): Promise<void> {
  if (!document.hidden || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    document.addEventListener('visibilitychange', done);
    signal.addEventListener('abort', done);
  });
}
