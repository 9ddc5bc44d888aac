import { html } from 'htm/preact';
import type { RefObject, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Completion, completionsOf, type KnownValues } from '../../../../journal/filter/complete.ts';
import type { FilterProblem } from '../../../../journal/filter/parse.ts';
import { Icon } from '../../parts/icon.ts';

export interface FilterInputProps {
  readonly text: string;
  readonly problem: FilterProblem | undefined;
  readonly isOff: boolean;
  readonly known: () => KnownValues;
  readonly input: RefObject<HTMLInputElement>;
  readonly setText: (text: string) => void;
}

/** Field for a filter, which completes keys and values and marks the place that cannot be read. */
export function FilterInput({ text, problem, isOff, known, input, setText }: FilterInputProps): VNode {
  const [offered, setOffered] = useState<readonly Completion[]>([]);
  const [chosen, setChosen] = useState(-1);
  const caret = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (caret.current !== undefined) input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);
  const offer = (element: HTMLInputElement): void => {
    setOffered(completionsOf(element.value, element.selectionStart ?? element.value.length, known()));
    setChosen(-1);
  };
  const close = (): void => setOffered([]);
  const take = ({ from, to, text: piece }: Completion): void => {
    // The element is ahead of the filter, which follows once the rows are found.
    const typed = input.current?.value ?? text;
    const next = `${typed.slice(0, from)}${piece}${typed.slice(to).trimStart()}`;
    caret.current = from + piece.length;
    setText(next);
    input.current?.focus();
    setOffered(completionsOf(next, caret.current, known()));
    setChosen(-1);
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const choice = offered[chosen];
    if (step !== undefined) {
      if (offered.length === 0) offer(event.currentTarget as HTMLInputElement);
      else setChosen((chosen + step + offered.length + (chosen === -1 && step < 0 ? 1 : 0)) % offered.length);
    } else if (event.key === 'Escape' && offered.length > 0) close();
    else if ((event.key === 'Enter' || event.key === 'Tab') && choice !== undefined) take(choice);
    else {
      if (event.key === 'Enter') close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<div class="filter">
    <input type="text" role="combobox" ref=${input} class=${isOff ? 'off' : ''} aria-label="Filter" aria-autocomplete="list" autocomplete="off"
      spellcheck=${false} placeholder="app:… status:error -kind:http, or words" value=${text}
      aria-expanded=${offered.length > 0} aria-controls="filter-offers" aria-invalid=${problem !== undefined} aria-describedby="filter-problem"
      aria-activedescendant=${chosen === -1 ? undefined : `offer-${chosen}`}
      onInput=${({ currentTarget }: Event) => {
        setText((currentTarget as HTMLInputElement).value);
        offer(currentTarget as HTMLInputElement);
      }}
      onClick=${({ currentTarget }: Event) => offer(currentTarget as HTMLInputElement)} onBlur=${close} onKeyDown=${key} />
    <button type="button" class="empty-filter" aria-label="Empty the filter" hidden=${text === ''} onClick=${() => {
      setText('');
      input.current?.focus();
    }}><${Icon} name="close" /></button>
    <ul id="filter-offers" class="offers" role="listbox" aria-label="Completions" hidden=${offered.length === 0}>${offered.map(
      (one, at) => html`<li key=${one.text} id=${`offer-${at}`} role="option" aria-selected=${at === chosen}
        onMouseDown=${(event: Event) => {
          // The field keeps the focus.
          event.preventDefault();
          take(one);
        }}><code>${one.text.trim()}</code><span class="note">${one.about}</span></li>`,
    )}</ul>
    <p id="filter-problem" class="place" role="status">${problem === undefined ? null : html`<${Place} text=${text} problem=${problem} />`}</p>
  </div>` as VNode;
}

/** The filter with its wrong place marked, and the reason. */
function Place({ text, problem }: { readonly text: string; readonly problem: FilterProblem }): VNode {
  const { from, to, message } = problem;
  return html`<code>${text.slice(0, from)}<mark>${text.slice(from, to)}</mark>${text.slice(to)}</code> <span class="problem">${message}</span> <span class="note">The list is that of the filter before.</span>` as VNode;
}
