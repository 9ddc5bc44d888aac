import { html } from 'htm/preact';
import { createContext, type VNode } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';

/** Key that does something on this view; `does` is its line in the list of keys. */
export interface KeyAction {
  /** `KeyboardEvent.key`, such as `f` or `/`; with `ctrl` together with Control or Command. */
  readonly key: string;
  readonly ctrl?: boolean;
  readonly does: string;
  readonly run: () => void;
}

/** Keys of the elements that are on the page now. */
export class Keys {
  readonly #lists = new Set<{ readonly current: readonly KeyAction[] }>();

  /** Adds a list until the returned function is called; the newest list wins. */
  add(list: { readonly current: readonly KeyAction[] }): () => void {
    this.#lists.add(list);
    return () => this.#lists.delete(list);
  }

  get all(): readonly KeyAction[] {
    return [...this.#lists].flatMap(({ current }) => current);
  }

  /** Runs the action of a key; not while the user types, and not behind a dialog. */
  press(event: KeyboardEvent): void {
    const ctrl = event.ctrlKey || event.metaKey;
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    if (!ctrl && isTyping(event.target)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    const action = this.all.findLast((one) => one.key === event.key && (one.ctrl ?? false) === ctrl);
    if (action === undefined) return;
    event.preventDefault();
    action.run();
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName))
  );
}

/** Keys of the page. */
export const KeysContext = createContext(new Keys());

/** Makes keys work while the component is on the page. */
export function useKeys(actions: readonly KeyAction[]): void {
  const keys = useContext(KeysContext);
  const list = useRef(actions);
  list.current = actions;
  useEffect(() => keys.add(list), [keys]);
}

/** List of the keys that work now. */
export function KeyList({ keys, close }: { readonly keys: Keys; readonly close: () => void }): VNode {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return html`<dialog ref=${box} class="keys" aria-labelledby="keys-title" onClose=${close}>
    <header><h2 id="keys-title">Keys</h2><button type="button" onClick=${() => box.current?.close()}>Close</button></header>
    <dl>${keys.all.map(
      ({ key, ctrl, does }) =>
        html`<dt key=${does}><kbd>${ctrl ? 'Ctrl ' : ''}${NAMES[key] ?? key}</kbd></dt><dd>${does}</dd>`,
    )}</dl>
  </dialog>` as VNode;
}

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
};
