import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import type { Feed } from '../../data/feed.ts';
import { usePolled } from '../../parts/controls.ts';
import { Empty, Loading } from '../../parts/states.ts';
import { useKeys } from '../../shell/keys.ts';
import { type PageAddress, pageAddress } from '../../shell/pages.ts';
import { ChannelList } from './list.ts';
import { Pane } from './pane.ts';
import { Passed } from './passed.ts';
import { People } from './people.ts';
import type { ListedChannel, ListedUser } from './types.ts';

/** Poll interval of the lists (ms). */
const POLL_MS = 2000;
/** Maximum number of users side by side. */
const MAX_VIEWERS = 4;

/**
 * Channels as users see them in their clients. The address has the channel, and who looks: `#/channels/ID?as=river,heron`.
 */
export function Channels({ feed, address }: { readonly feed: Feed; readonly address: PageAddress }): VNode {
  const users = usePolled(() => call('user.list'), POLL_MS).value;
  const people = (users ?? []).filter(({ bot }) => !bot);
  const viewers = viewersOf(address, people);
  const [first] = viewers;
  const list = usePolled(async () => {
    const user = viewersOf(address, people)[0];
    return user === undefined ? undefined : { of: user, channels: await call('channel.list', { user }) };
  }, POLL_MS);
  useEffect(() => list.again(), [first]);
  const channels = list.value?.channels;
  const [isNavOpen, setNavOpen] = useState(false);
  const current = address.rest === '' ? firstText(channels ?? []) : address.rest;
  const go = (channel: string, as: readonly string[] = viewers): void => {
    setNavOpen(false);
    location.hash = pageAddress('channels', channel, { as: as.join(',') });
  };
  useKeys([
    { key: '[', does: 'the channel before', run: () => go(beside(channels ?? [], current, -1)) },
    { key: ']', does: 'the next channel', run: () => go(beside(channels ?? [], current, 1)) },
    {
      key: 'w',
      does: 'write a message',
      run: () => document.querySelector<HTMLElement>('.composer textarea')?.focus(),
    },
  ]);
  if (users === undefined || channels === undefined || first === undefined) {
    return html`<section class="channels-page"><h1>Channels</h1>${list.problem === undefined ? html`<${Loading} />` : html`<p class="problem" role="alert">${list.problem}</p>`}</section>` as VNode;
  }
  const setViewer = (index: number, user: string): void =>
    go(
      current,
      viewers.map((one, at) => (at === index ? user : one)),
    );
  const close = (index: number): void =>
    go(
      current,
      viewers.filter((_one, at) => at !== index),
    );
  const another = people.find(({ username }) => !viewers.includes(username));
  return html`<section class="channels-page">
    <header class="channels-bar"><h1>Channels</h1>
      <button type="button" class="channels-open" aria-expanded=${isNavOpen} aria-controls="channel-list" onClick=${() => setNavOpen(!isNavOpen)}>All channels</button>
      <button type="button" disabled=${another === undefined || viewers.length >= MAX_VIEWERS} title=${another === undefined ? 'Every user looks already' : `At most ${MAX_VIEWERS} look side by side`} onClick=${() => another && go(current, [...viewers, another.username])}>Look as another user</button>
    </header>
    <div class="channels-room">
      <div id="channel-list" class=${isNavOpen ? 'open' : ''}><${ChannelList} channels=${channels} current=${current} open=${go} /></div>
      <div class="channels-panes">${
        current === ''
          ? html`<${Empty} icon="channels" title="No channel">${first} sees no channel. A fixture or a bot makes one.<//>`
          : viewers.map(
              (
                user,
                index,
              ) => html`<${Pane} key=${`${index} ${user}`} channel=${current} listed=${channels.find(({ id }) => id === current)} user=${user} people=${people}
                setUser=${(name: string) => setViewer(index, name)} close=${viewers.length > 1 ? () => close(index) : undefined} open=${go} again=${list.again} />`,
            )
      }</div>
      <aside class="channels-side" aria-label="Beside the channel">
        <${People} users=${users} guild=${channels.find(({ id }) => id === current)?.guild ?? undefined} />
        <${Passed} feed=${feed} channel=${current} />
      </aside>
    </div>
  </section>` as VNode;
}

/** Names of the users who look, in the order of the address; the logged-in user where it names no user. */
function viewersOf({ query }: PageAddress, people: readonly ListedUser[]): readonly string[] {
  const named = (query.get('as') ?? '')
    .split(',')
    .flatMap((text) => people.find(({ id, username }) => text === username || text === id)?.username ?? []);
  if (named.length > 0) return [...new Set(named)].slice(0, MAX_VIEWERS);
  const me = people.find((one) => one.me) ?? people[0];
  return me === undefined ? [] : [me.username];
}

const isOpenable = ({ type }: ListedChannel): boolean => type !== 'category';

function firstText(channels: readonly ListedChannel[]): string {
  return (channels.find(({ type }) => type === 'text') ?? channels.find(isOpenable))?.id ?? '';
}

function beside(channels: readonly ListedChannel[], current: string, step: number): string {
  const all = channels.filter(isOpenable);
  const at = all.findIndex(({ id }) => id === current);
  return all[(at + step + all.length) % all.length]?.id ?? current;
}
