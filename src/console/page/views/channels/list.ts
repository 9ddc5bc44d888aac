import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { Icon, type IconName } from '../../parts/icon.ts';
import type { ListedChannel } from './types.ts';

interface ListProps {
  readonly channels: readonly ListedChannel[];
  readonly current: string;
  readonly open: (channel: string) => void;
}

/** Guilds with their categories, channels and threads, then the private channels. */
export function ChannelList({ channels, current, open }: ListProps): VNode {
  const guilds = new Map(
    channels.flatMap(({ guild, guild_name }) => (guild === null ? [] : [[guild, guild_name ?? guild]])),
  );
  const inPrivate = channels.filter(({ guild }) => guild === null);
  const entry = (channel: ListedChannel): VNode =>
    html`<${Entry} key=${channel.id} channel=${channel} channels=${channels} current=${current} open=${open} />` as VNode;
  return html`<nav class="channel-list" aria-label="Channels">
    ${[...guilds].map(([id, name]) => {
      const own = channels.filter(({ guild }) => guild === id).toSorted((a, b) => a.position - b.position);
      const isCategory = ({ type }: ListedChannel): boolean => type === 'category';
      const ids = new Set(own.map((one) => one.id));
      const top = own.filter((one) => !isCategory(one) && (one.parent === null || !ids.has(one.parent)));
      return html`<section key=${id}><h2>${name}</h2><ul>${top.map(entry)}</ul>
        ${own
          .filter(isCategory)
          .map(
            (category) =>
              html`<h3 key=${category.id}>${category.name}</h3><ul>${own.filter(({ parent }) => parent === category.id).map(entry)}</ul>`,
          )}</section>`;
    })}
    ${inPrivate.length === 0 ? null : html`<section><h2>Private</h2><ul>${inPrivate.map(entry)}</ul></section>`}
  </nav>` as VNode;
}

const VOICE: readonly string[] = ['voice', 'stage'];

function Entry({ channel, channels, current, open }: ListProps & { readonly channel: ListedChannel }): VNode {
  const { id, name, type, voice = [], archived = false } = channel;
  const icon: IconName = VOICE.includes(type)
    ? 'voice'
    : type === 'direct' || type === 'group'
      ? 'users'
      : type.endsWith('thread')
        ? 'channels'
        : 'channel';
  const threads =
    type === 'category'
      ? []
      : channels.filter(({ parent, type: kind }) => parent === id && kind.endsWith('thread'));
  return html`<li>
    <button type="button" class="channel-entry" aria-current=${id === current ? 'page' : undefined} onClick=${() => open(id)}><${Icon} name=${icon} /><span>${name}</span>${archived ? html`<span class="note">archived</span>` : null}</button>
    ${voice.length === 0 ? null : html`<ul class="voice-users">${voice.map((one) => html`<li key=${one.user} class=${one.speaking ? 'speaks' : ''}>${one.username}${one.mute ? html` <span class="note">muted</span>` : null}${one.deaf ? html` <span class="note">deafened</span>` : null}</li>`)}</ul>`}
    ${threads.length === 0 ? null : html`<ul class="threads">${threads.map((thread) => html`<${Entry} key=${thread.id} channel=${thread} channels=${channels} current=${current} open=${open} />`)}</ul>`}
  </li>` as VNode;
}
