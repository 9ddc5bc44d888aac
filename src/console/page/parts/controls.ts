import { html } from 'htm/preact';
import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Feed } from '../data/feed.ts';
import { Button } from './button.ts';

/** Reason why no operation of the bridge can be called now; undefined while one can. */
export const NotOffered = createContext<string | undefined>(undefined);

/** Attributes of a control that calls an operation of the bridge: disabled with the reason while none can be called. */
export function useOffer(): Readonly<Record<string, unknown>> {
  const reason = useContext(NotOffered);
  // The header contains the reason, for screen readers.
  return reason === undefined ? {} : { disabled: true, title: reason, 'aria-describedby': 'why-not' };
}

/** Redraws the component after each change of the feed. */
export function useFeed(feed: Feed): void {
  const [, draw] = useState(0);
  useEffect(() => feed.follow(() => draw((count) => count + 1)), [feed]);
}

/** Redraws the component after each change of the bridge's state and status, which rows of traffic do not change. */
export function useBridgeState(feed: Feed): void {
  const [, setState] = useState([feed.link, feed.status] as const);
  useEffect(
    () =>
      feed.follow(() =>
        setState((last) =>
          last[0] === feed.link && last[1] === feed.status ? last : [feed.link, feed.status],
        ),
      ),
    [feed],
  );
}

/** Requests of all results on the page: a change of one list may change another one, too. */
export const PolledContext = createContext<Set<() => void> | undefined>(undefined);

/** Result of an operation, requested again at an interval and whenever `again` of any result on the page is called. */
export function usePolled<T>(
  request: () => Promise<T>,
  everyMs: number,
): { readonly value: T | undefined; readonly problem: string | undefined; readonly again: () => void } {
  const [value, setValue] = useState<T | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const polled = useContext(PolledContext);
  const last = useRef('');
  const refresh = useRef(async (): Promise<void> => {});
  refresh.current = async () => {
    try {
      const next = await request();
      // The results are compared as JSON, because redrawing a large world without a change would cost more than the
      // comparison.
      const text = JSON.stringify(next);
      if (text !== last.current) setValue(next);
      last.current = text;
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  useEffect(() => {
    const poll = (): void => void refresh.current();
    poll();
    polled?.add(poll);
    const timer = setInterval(poll, everyMs);
    return () => {
      clearInterval(timer);
      polled?.delete(poll);
    };
  }, [everyMs, polled]);
  const again = (): void => {
    for (const poll of polled ?? []) poll();
  };
  return { value, problem, again };
}

/** State of a control: whether its action runs, and why the last one was refused. */
export interface Act {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  /** Runs an action, one at a time. */
  readonly run: (action: () => Promise<unknown>) => void;
  /** Removes the refusal. */
  readonly forget: () => void;
}

/** State of a control whose action may be refused. */
export function useAct(): Act {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const running = useRef(false);
  const perform = async (action: () => Promise<unknown>): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await action();
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { isBusy, problem, run: (action) => void perform(action), forget: () => setProblem(undefined) };
}

/** Button that runs an operation of the bridge; a refusal appears beside it. */
export function Action({
  action,
  done,
  kind = 'plain',
  label,
  confirm,
  waits = false,
  isLocal = false,
  children,
}: {
  readonly action: () => Promise<unknown>;
  readonly done?: () => void;
  readonly kind?: 'plain' | 'good' | 'bad';
  /** Label for screen readers. */
  readonly label?: string;
  /** Question of the button, which then runs the action at its second use only. */
  readonly confirm?: string;
  /** True while the button is disabled. */
  readonly waits?: boolean;
  /** Whether the action needs no bridge. */
  readonly isLocal?: boolean;
  readonly children?: ComponentChildren;
}): VNode {
  const { isBusy, problem, run } = useAct();
  const offer = useOffer();
  const act = (): void =>
    run(async () => {
      await action();
      done?.();
    });
  return html`<span class="action">
    <${Button} type="button" kind=${kind} label=${label} confirm=${confirm} use=${act}
      state=${{ disabled: isBusy || waits, ...(isLocal ? {} : offer) }}>${children}<//>
    <${Problem} text=${problem} />
  </span>` as VNode;
}

/** Form of one line. `action` receives the values of the form; after a success the form is reset. */
export function Line({
  action,
  done,
  button,
  label,
  confirm,
  children,
}: {
  readonly action: (values: Readonly<Record<string, string>>) => Promise<unknown>;
  readonly done?: () => void;
  readonly button: string;
  readonly label: string;
  /** As of {@link Action}. */
  readonly confirm?: string;
  readonly children?: ComponentChildren;
}): VNode {
  const { problem, run } = useAct();
  const offer = useOffer();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    run(async () => {
      await action(formValues(form));
      form.reset();
      done?.();
    });
  };
  return html`<form class="line" aria-label=${label} onSubmit=${submit}>
    ${children}
    <${Button} type="submit" confirm=${confirm} state=${offer}>${button}<//>
    <${Problem} text=${problem} />
  </form>` as VNode;
}

/** Refusal of any length; a long one scrolls, so the row of its control keeps its form. */
export function Problem({ text }: { readonly text: string | undefined }): VNode | null {
  return text === undefined
    ? null
    : (html`<span class="problem" role="alert" tabindex="0">${text}</span>` as VNode);
}

/** Message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Texts of a form's fields by their names. */
export function formValues(form: HTMLFormElement): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
}
