import { html } from 'htm/preact';
import { render, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { listOperations } from './api.ts';
import { Grants, Requests, useWaiting } from './consent.ts';
import { Doctor } from './doctor.ts';
import { Faults } from './faults.ts';
import { Feed } from './feed.ts';
import { Frames } from './frames.ts';
import { Operations } from './operations.ts';
import { Overview } from './overview.ts';
import { NotOffered, useFeed } from './parts.ts';
import { Presence } from './presence.ts';
import { ThemeSwitch } from './theme.ts';
import { WorldView } from './world.ts';

/** Views of the console; `needs` names the operation that a view requires. */
const VIEWS = [
  { id: 'overview', title: 'Overview', needs: undefined },
  { id: 'frames', title: 'Frames', needs: undefined },
  { id: 'requests', title: 'Requests', needs: 'requests.list' },
  { id: 'grants', title: 'Grants', needs: 'grants.list' },
  { id: 'presence', title: 'Presence', needs: 'presence.list' },
  { id: 'world', title: 'World', needs: 'emulator.show' },
  { id: 'faults', title: 'Faults', needs: 'fault.list' },
  { id: 'operations', title: 'Operations', needs: undefined },
  { id: 'doctor', title: 'Doctor', needs: undefined },
] as const;

function App({ feed }: { readonly feed: Feed }): VNode {
  useFeed(feed);
  const [id, rest] = usePagePath();
  const operations = useOperations(feed.link.kind);
  const views = VIEWS.filter(
    ({ needs }) => needs === undefined || operations === undefined || operations.has(needs),
  );
  const view = views.find((one) => one.id === id) ?? VIEWS[0];
  useEffect(() => {
    document.title = `${view.title} · Footbridge`;
  }, [view.title]);
  const waiting = useWaiting();
  // A request does not outlive its bridge.
  const count = feed.link.kind === 'up' ? (waiting.value?.length ?? 0) : 0;
  return html`<a class="skip" href="#content" onClick=${skip}>Skip to the content</a>
    <header class="top">
      <strong class="brand">Footbridge</strong><${LinkState} feed=${feed} /><${ThemeSwitch} />
    </header>
    <nav aria-label="Pages">${views.map(
      (
        one,
      ) => html`<a key=${one.id} href=${`#/${one.id}`} aria-current=${one.id === view.id ? 'page' : undefined}>${one.title}
        ${one.id === 'requests' && count > 0 ? html`${' '}<span class="badge">${count}</span>` : null}</a>`,
    )}</nav>
    <p class="unseen" role="status">${count === 0 ? '' : `${count} ${count === 1 ? 'request waits' : 'requests wait'} for you`}</p>
    <main id="content" tabindex="-1"><${NotOffered.Provider} value=${whyNotOffered(feed)}>${contentOf(view.id, { feed, waiting, operations, rest })}<//></main>` as VNode;
}

interface ViewProps {
  readonly feed: Feed;
  readonly waiting: ReturnType<typeof useWaiting>;
  readonly operations: ReadonlySet<string> | undefined;
  readonly rest: string;
}

function contentOf(id: (typeof VIEWS)[number]['id'], { feed, waiting, operations, rest }: ViewProps): VNode {
  switch (id) {
    case 'overview':
      return html`<${Overview} feed=${feed} />` as VNode;
    case 'frames':
      return html`<${Frames} feed=${feed} session=${rest} />` as VNode;
    case 'requests':
      return html`<${Requests} waiting=${waiting} />` as VNode;
    case 'grants':
      return html`<${Grants} />` as VNode;
    case 'presence':
      return html`<${Presence} />` as VNode;
    case 'world':
      return html`<${WorldView} />` as VNode;
    case 'faults':
      return html`<${Faults} />` as VNode;
    case 'operations':
      return html`<${Operations} name=${rest} names=${operations} />` as VNode;
    case 'doctor':
      return html`<${Doctor} />` as VNode;
  }
}

/** Reason why no operation of the bridge can be called now; undefined while one can. */
function whyNotOffered({ link }: Feed): string | undefined {
  if (link.kind === 'up') return undefined;
  return link.kind === 'down' ? link.why : 'The bridge has not answered yet.';
}

function LinkState({ feed: { link, status } }: { readonly feed: Feed }): VNode {
  const text = { connecting: 'connecting…', up: `up, core ${status?.core.name ?? ''}`, down: 'away' }[
    link.kind
  ];
  return html`<span class=${`link ${link.kind}`} role="status">Bridge ${text}</span>
    ${link.kind === 'down' ? html`<span class="problem" id="why-not">${link.why}</span>` : null}
    ${(status?.unstored ?? []).map((text) => html`<span key=${text} class="problem" role="alert">Not stored, ends with the bridge: ${text}</span>`)}` as VNode;
}

/** Part of the address after `#/`: the view, and its argument, which is a session or the name of an operation. */
function usePagePath(): readonly [id: string, rest: string] {
  const read = (): readonly [string, string] => {
    const [, id = '', rest = ''] = /^#\/([\w-]*)(?:\/([\w.-]*))?$/.exec(location.hash) ?? [];
    return [id, rest];
  };
  const [path, setPath] = useState(read);
  useEffect(() => {
    const changed = (): void => setPath(read());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return path;
}

/** Names of the bridge's operations, requested again after a reconnection, because another core may run then. */
function useOperations(link: string): ReadonlySet<string> | undefined {
  const [names, setNames] = useState<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    if (link === 'up')
      void listOperations().then(
        (list) => setNames(new Set(list.map(({ name }) => name))),
        () => undefined,
      );
  }, [link]);
  return names;
}

/** The default action is prevented, because the link must not change the address. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

const feed = new Feed();
feed.start();
const root = document.getElementById('app');
if (root !== null) render(html`<${App} feed=${feed} />`, root);
