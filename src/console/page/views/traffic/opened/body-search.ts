import { html } from 'htm/preact';
import type { RefObject, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../../parts/icon.ts';
import { useKeys } from '../../../shell/keys.ts';

/** Maximum number of places that are marked. */
const MAX_PLACES = 1000;
/** Names of the marks in the style sheet. */
const FOUND = 'found';
const CURRENT = 'found-current';

/** Search within the contents of a row: every place is marked, the current one strongly. The page's elements stay as they are. */
export function BodySearch({
  within,
  version,
}: {
  readonly within: RefObject<HTMLElement>;
  /** Changes whenever the elements do. */
  readonly version: string;
}): VNode {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const places = useRef<readonly Range[]>([]);
  const [count, setCount] = useState(0);
  useEffect(() => {
    places.current = within.current === null ? [] : placesOf(within.current, text.trim());
    setCount(places.current.length);
    mark(FOUND, places.current);
    return () => mark(FOUND, []);
  }, [text, version]);
  const current = count === 0 ? 0 : ((at % count) + count) % count;
  useEffect(() => {
    const place = places.current[current];
    mark(CURRENT, place === undefined ? [] : [place]);
    if (place !== undefined) reveal(place);
    return () => mark(CURRENT, []);
  }, [current, count, text, version]);
  const step = (by: number) => (): void => setAt(current + by);
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1)();
    } else if (event.key === 'Escape' && text !== '') {
      event.stopPropagation();
      setText('');
    }
  };
  useKeys([{ key: 's', does: 'search in the opened row', run: () => input.current?.focus() }]);
  const typed = ({ currentTarget }: Event): void => {
    setText((currentTarget as HTMLInputElement).value);
    setAt(0);
  };
  const state =
    text.trim() === ''
      ? ''
      : count === 0
        ? 'Nothing found'
        : `${current + 1} of ${count === MAX_PLACES ? `${count} or more` : count}`;
  return html`<div class="body-search" role="group" aria-label="Search in the content">
    <label><${Icon} name="search" /><span class="unseen">Search in the content</span>
      <input ref=${input} type="search" value=${text} onInput=${typed} onKeyDown=${key} placeholder="Search in the content" /></label>
    <button type="button" aria-label="Previous place" disabled=${count === 0} onClick=${step(-1)}><${Icon} name="up" /></button>
    <button type="button" aria-label="Next place" disabled=${count === 0} onClick=${step(1)}><${Icon} name="down" /></button>
    <span class="note" role="status">${state}</span>
  </div>` as VNode;
}

/** Places of a text in the texts of an element, without regard to case. */
function placesOf(element: HTMLElement, text: string): readonly Range[] {
  if (text === '') return [];
  const wanted = text.toLowerCase();
  const places: Range[] = [];
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const content = (node.nodeValue ?? '').toLowerCase();
    // Some letters change their length in lower case, so that a place in it is none in the text.
    if (content.length !== node.nodeValue?.length) continue;
    for (
      let from = content.indexOf(wanted);
      from !== -1;
      from = content.indexOf(wanted, from + wanted.length)
    ) {
      const place = new Range();
      place.setStart(node, from);
      place.setEnd(node, from + wanted.length);
      places.push(place);
      if (places.length === MAX_PLACES) return places;
    }
  }
  return places;
}

/** Marks places with the style `::highlight(name)`; a browser without it only scrolls to them. */
function mark(name: string, places: readonly Range[]): void {
  if (!('highlights' in CSS)) return;
  if (places.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...places));
}

/** Opens what hides a place, and scrolls to it. */
function reveal(place: Range): void {
  const parent = place.startContainer.parentElement;
  for (let one = parent; one !== null; one = one.parentElement)
    if (one instanceof HTMLDetailsElement) one.open = true;
  parent?.scrollIntoView({ block: 'nearest' });
}
