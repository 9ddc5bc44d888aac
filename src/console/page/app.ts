import { html } from 'htm/preact';
import { render, type VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { amount } from '../../base/text.ts';
import { listOperations } from './data/api.ts';
import { Feed } from './data/feed.ts';
import { NotOffered, PolledContext, useBridgeState } from './parts/controls.ts';
import { KeyList, Keys, KeysContext, useKeys } from './shell/keys.ts';
import { Later } from './shell/later.ts';
import { LinkState } from './shell/link-state.ts';
import { Nav } from './shell/nav.ts';
import {
  appTraffic,
  isPicturePage,
  PAGES,
  type PageAddress,
  type PageId,
  pageAddress,
  usePageAddress,
} from './shell/pages.ts';
import { type Choice, Palette } from './shell/palette.ts';
import { ThemeSwitch } from './shell/theme.ts';
import { Requests } from './views/decisions/decisions.ts';
import { useWaiting } from './views/decisions/request.ts';
import { Doctor } from './views/doctor/doctor.ts';
import { Faults } from './views/faults/faults.ts';
import { Operations } from './views/operations/operations.ts';
import { Overview } from './views/overview/overview.ts';
import { Presence } from './views/presence/presence.ts';
import { LastForm } from './views/traffic/opened/opened.ts';
import { TrafficPage } from './views/traffic/opened/recorded.ts';
import type { Form } from './views/traffic/opened/side-view.ts';
import { PRESETS } from './views/traffic/presets.ts';
import { WorldView } from './views/world/world.ts';

function App({ feed, keys }: { readonly feed: Feed; readonly keys: Keys }): VNode {
  const polled = useMemo(() => new Set<() => void>(), []);
  const form = useRef<Form>('tree');
  return html`<${KeysContext.Provider} value=${keys}><${PolledContext.Provider} value=${polled}><${LastForm.Provider} value=${form}>
    <${Page} feed=${feed} keys=${keys} /><//><//><//>` as VNode;
}

function Page({ feed, keys }: { readonly feed: Feed; readonly keys: Keys }): VNode {
  useBridgeState(feed);
  const address = usePageAddress();
  const [dialog, setDialog] = useState<'none' | 'palette' | 'keys'>('none');
  const operations = useOperations(feed.link.kind);
  const pages = PAGES.filter(
    ({ needs }) => needs === undefined || operations === undefined || operations.has(needs),
  );
  const page = pages.find((one) => one.id === address.id) ?? PAGES[0];
  const waiting = useWaiting();
  // A request does not outlive its bridge.
  const count = feed.link.kind === 'up' ? (waiting.value?.length ?? 0) : 0;
  useEffect(() => {
    document.title = `${count === 0 ? '' : `(${count}) `}${page.title} · Footbridge`;
  }, [page.title, count]);
  useKeys([
    { key: '?', does: 'this list', run: () => setDialog('keys') },
    { key: 'k', ctrl: true, does: 'go to a page, an app or an operation', run: () => setDialog('palette') },
    ...pages.map(({ id, title }, index) => ({
      key: String(index + 1),
      does: title,
      run: () => goTo(pageAddress(id)),
    })),
  ]);
  const closeDialog = (): void => setDialog('none');
  return html`<a class="skip" href="#content" onClick=${skip}>Skip to the content</a>
    <header class="top">
      <strong class="brand">Footbridge</strong><${LinkState} feed=${feed} />
      <button type="button" class="go" onClick=${() => setDialog('palette')}>Go to… <kbd>Ctrl K</kbd></button>
      <button type="button" class="help" aria-label="Keys" onClick=${() => setDialog('keys')}><kbd>?</kbd></button><${ThemeSwitch} />
    </header>
    <${Nav} pages=${pages} current=${page.id} badges=${{ requests: count }} />
    <p class="unseen" role="status">${count === 0 ? '' : `${amount(count, 'request waits', 'requests wait')} for you`}</p>
    <main id="content" tabindex="-1" class=${feed.link.kind === 'down' ? 'away' : ''}>
      <${NotOffered.Provider} value=${whyNotOffered(feed)}>${contentOf(page.id, { feed, waiting, operations, address })}<//>
    </main>
    ${dialog === 'keys' ? html`<${KeyList} keys=${keys} close=${closeDialog} />` : null}
    ${dialog === 'palette' ? html`<${Palette} choices=${choicesOf(pages, feed, operations)} close=${closeDialog} />` : null}` as VNode;
}

interface ViewProps {
  readonly feed: Feed;
  readonly waiting: ReturnType<typeof useWaiting>;
  readonly operations: ReadonlySet<string> | undefined;
  readonly address: PageAddress;
}

function contentOf(id: PageId, { feed, waiting, operations, address }: ViewProps): VNode {
  switch (id) {
    case 'overview':
      return html`<${Overview} feed=${feed} waiting=${waiting} operations=${operations} />` as VNode;
    case 'traffic':
      return html`<${TrafficPage} feed=${feed} address=${address} />` as VNode;
    case 'requests':
      return html`<${Requests} feed=${feed} waiting=${waiting} operations=${operations} app=${address.query.get('app')} />` as VNode;
    case 'channels':
      return html`<${Later} load=${loadChannels} props=${{ feed, address }} />` as VNode;
    case 'presence':
      return html`<${Presence} />` as VNode;
    case 'world':
      return html`<${WorldView} />` as VNode;
    case 'faults':
      return html`<${Faults} />` as VNode;
    case 'operations':
      return html`<${Operations} name=${address.rest} names=${operations} />` as VNode;
    case 'doctor':
      return html`<${Doctor} feed=${feed} />` as VNode;
  }
}

/** The part of the page that draws messages is as large as half of the rest. */
const loadChannels = async () => (await import('./drawn.ts')).Channels;
const loadPicture = async () => (await import('./drawn.ts')).Picture;

/** Reason why no operation of the bridge can be called now; undefined while one can. */
function whyNotOffered({ link }: Feed): string | undefined {
  if (link.kind === 'up') return undefined;
  return link.kind === 'down' ? link.why : 'The bridge has not answered yet.';
}

/** Entries of the command palette: views, connected apps, filters of the traffic, operations. */
function choicesOf(
  pages: readonly (typeof PAGES)[number][],
  { status }: Feed,
  operations: ReadonlySet<string> | undefined,
): readonly Choice[] {
  const apps = new Set(
    (status?.sessions ?? []).map(({ application, clientId }) => application ?? clientId ?? ''),
  );
  return [
    ...pages.map(({ id, title }) => ({ title, kind: 'page', run: () => goTo(pageAddress(id)) })),
    ...[...apps]
      .filter((name) => name !== '')
      .map((name) => ({
        title: name,
        kind: 'traffic of an app',
        run: () => goTo(appTraffic(name)),
      })),
    ...PRESETS.map(([title, filter]) => ({
      title,
      kind: 'traffic',
      run: () => goTo(pageAddress('traffic', '', { filter })),
    })),
    ...[...(operations ?? [])]
      .sort()
      .map((name) => ({ title: name, kind: 'operation', run: () => goTo(pageAddress('operations', name)) })),
  ];
}

function goTo(address: string): void {
  location.hash = address;
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

const root = document.getElementById('app');
if (root !== null)
  render(isPicturePage() ? (html`<${Later} load=${loadPicture} props=${{}} />` as VNode) : startApp(), root);

function startApp(): VNode {
  const feed = new Feed();
  feed.start();
  const keys = new Keys();
  document.addEventListener('keydown', (event) => keys.press(event));
  return html`<${App} feed=${feed} keys=${keys} />` as VNode;
}
