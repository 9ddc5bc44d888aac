import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Entry of the command palette. */
export interface Choice {
  readonly title: string;
  /** Kind of the entry, such as `page` or `operation`. */
  readonly kind: string;
  readonly run: () => void;
}

/** Maximum of listed entries. */
const MAX_LISTED = 50;

/** List of everything that the page can show or do, to be searched by typing. */
export function Palette({
  choices,
  close,
}: {
  readonly choices: readonly Choice[];
  readonly close: () => void;
}): VNode {
  const box = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  useEffect(() => box.current?.showModal(), []);
  const found = search(choices, text).slice(0, MAX_LISTED);
  const chosen = Math.min(index, found.length - 1);
  useEffect(() => box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }));
  const run = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    box.current?.close();
    choice.run();
  };
  const type = ({ currentTarget }: Event): void => {
    setText((currentTarget as HTMLInputElement).value);
    setIndex(0);
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') run(found[chosen]);
    else if (step !== undefined) setIndex((chosen + step + found.length) % Math.max(1, found.length));
    else return;
    event.preventDefault();
  };
  return html`<dialog ref=${box} class="palette" aria-label="Command palette" onClose=${close}>
    <input type="text" role="combobox" aria-label="Go to" aria-expanded="true" aria-controls="palette-list" autocomplete="off"
      aria-activedescendant=${found.length === 0 ? undefined : `palette-${chosen}`} placeholder="Page, app, operation"
      value=${text} onInput=${type} onKeyDown=${key} />
    ${found.length === 0 ? html`<p class="empty" role="status">Nothing has this name.</p>` : null}
    <ul id="palette-list" role="listbox" aria-label="Entries">${found.map(
      (
        choice,
        at,
      ) => html`<li key=${`${choice.kind} ${choice.title}`} id=${`palette-${at}`} role="option" aria-selected=${at === chosen}
        onClick=${() => run(choice)}><span>${choice.title}</span><span class="note">${choice.kind}</span></li>`,
    )}</ul>
  </dialog>` as VNode;
}

/** Entries that contain every typed word; those that begin with the text come first. */
function search(choices: readonly Choice[], text: string): readonly Choice[] {
  const typed = text.trim().toLowerCase();
  const words = typed.split(/\s+/);
  const found = choices.filter(({ title, kind }) => {
    const whole = `${title} ${kind}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
  const begins = ({ title }: Choice): boolean => title.toLowerCase().startsWith(typed);
  return [...found.filter(begins), ...found.filter((one) => !begins(one))];
}
