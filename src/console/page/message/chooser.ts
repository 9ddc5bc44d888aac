import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../parts/controls.ts';
import { Icon } from '../parts/icon.ts';
import type { Suggestion } from './drawing.ts';
import { Emoji } from './emoji.ts';

/** What a chooser needs; its values are those of options, or ids. */
export interface ChooserProps {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  /** What is chosen at first, with its labels. */
  readonly chosen: readonly Suggestion[];
  /** Offers everything, or what fits a typed text. */
  readonly offer: readonly Suggestion[] | ((text: string) => Promise<readonly Suggestion[]>);
  readonly state: Readonly<Record<string, unknown>>;
  /** Receives the values: at once where one is chosen, otherwise at the button. In a form each change counts. */
  readonly choose: (values: readonly string[]) => void;
  readonly isForm?: boolean;
}

/**
 * Select of one or several values. Its list opens below it, inside of its message, and covers nothing. Arrow keys move,
 * Space and Enter choose, Escape closes.
 */
export function Chooser({
  label,
  min,
  max,
  chosen,
  offer,
  state,
  choose,
  isForm = false,
}: ChooserProps): VNode {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [picked, setPicked] = useState(chosen);
  const [at, setAt] = useState(0);
  const [text, setText] = useState('');
  const { found, problem } = useOffered(offer, text, isOpen);
  const field = useRef<HTMLButtonElement | null>(null);
  const list = useRef<HTMLUListElement | null>(null);
  const search = useRef<HTMLInputElement | null>(null);
  const isMultiple = max > 1;
  const isSearched = typeof offer === 'function';
  useEffect(() => setPicked(chosen), [JSON.stringify(chosen)]);
  useLayoutEffect(() => {
    if (isOpen) (isSearched ? search : list).current?.focus({ preventScroll: true });
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    field.current?.focus({ preventScroll: true });
  };
  const finish = (values: readonly Suggestion[]): void => {
    choose(values.map(({ value }) => value));
    if (!isForm || !isMultiple) close();
  };
  const toggle = (one: Suggestion | undefined): void => {
    if (one === undefined) return;
    const isPicked = picked.some(({ value }) => value === one.value);
    const others = picked.filter(({ value }) => value !== one.value);
    if (!isMultiple) {
      const next = isPicked && min === 0 ? [] : [one];
      setPicked(next);
      finish(next);
      return;
    }
    if (!isPicked && picked.length >= max) return;
    const next = isPicked ? others : [...picked, one];
    setPicked(next);
    if (isForm) finish(next);
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: found.length - 1 }[event.key];
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === 'Escape') close();
    else if (isTyping && event.key === 'ArrowDown') list.current?.focus();
    else if (isTyping || event.target instanceof HTMLButtonElement) return;
    else if (step !== undefined) setAt(Math.min(found.length - 1, Math.max(0, step)));
    else if (event.key === 'Enter' || event.key === ' ') toggle(found[at]);
    else return;
    event.preventDefault();
    // The keys of the page are not meant.
    event.stopPropagation();
  };
  const current = found[at];
  return html`<div class="chooser">
    <button type="button" class="chooser-field" ref=${field} aria-haspopup="listbox" aria-expanded=${isOpen} aria-label=${`${label}${picked.length === 0 ? '' : `: ${picked.map((one) => one.label).join(', ')}`}`}
      onClick=${() => (isOpen ? close() : setOpen(true))} ...${state}>
      <span class="chooser-value">${picked.length === 0 ? html`<span class="note">${label}</span>` : picked.map((one) => html`<bdi class="chosen-chip">${one.label}</bdi>`)}</span><${Icon} name=${isOpen ? 'up' : 'down'} /></button>
    ${
      isOpen
        ? html`<div class="choices" onKeyDown=${key}>
      ${isSearched ? html`<input type="search" aria-label=${`Search: ${label}`} placeholder="Search" autocomplete="off" value=${text} ref=${search} onInput=${(event: Event) => setText((event.currentTarget as HTMLInputElement).value)} />` : null}
      ${problem === undefined ? null : html`<span class="problem" role="alert">${problem}</span>`}
      <ul role="listbox" tabindex="0" ref=${list} aria-label=${label} aria-multiselectable=${isMultiple} aria-activedescendant=${current === undefined ? undefined : `${id}-${at}`}>
        ${found.map((one, index) => {
          const isPicked = picked.some(({ value }) => value === one.value);
          return html`<li key=${one.value} role="option" id=${`${id}-${index}`} aria-selected=${isPicked} class=${index === at ? 'current' : ''} onClick=${() => {
            setAt(index);
            toggle(one);
          }}>
            <span class="tick">${isPicked ? html`<${Icon} name="check" />` : null}</span><${Emoji} emoji=${one.emoji} />
            <span class="choice"><bdi>${one.label}</bdi>${one.description ? html`<span class="note"><bdi>${one.description}</bdi></span>` : null}</span></li>`;
        })}</ul>
      ${found.length === 0 ? html`<p class="note" role="status">Nothing fits.</p>` : null}
      ${
        isMultiple && !isForm
          ? html`<div class="chooser-end"><span class="note">${bounds(min, max)}</span>
        <button type="button" class="good" disabled=${picked.length < min || picked.length > max} onClick=${() => finish(picked)}>Choose ${picked.length}</button></div>`
          : null
      }</div>`
        : null
    }</div>` as VNode;
}

function bounds(min: number, max: number): string {
  return min === max ? `Exactly ${min}` : `${min} to ${max}`;
}

/** What is offered for a text; of several answers the one to the last text counts. */
function useOffered(
  offer: ChooserProps['offer'],
  text: string,
  isOpen: boolean,
): { readonly found: readonly Suggestion[]; readonly problem: string | undefined } {
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (!isOpen || typeof offer !== 'function') return undefined;
    let isWanted = true;
    offer(text).then(
      (all) => {
        if (!isWanted) return;
        setFound(all);
        setProblem(undefined);
      },
      (error: unknown) => isWanted && setProblem(messageOf(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [text, isOpen]);
  return typeof offer === 'function' ? { found, problem } : { found: offer, problem: undefined };
}
