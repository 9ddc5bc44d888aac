import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { amount } from '../../../../base/text.ts';
import { call } from '../../data/api.ts';
import { nameOf, type PartProps } from '../../data/world-data.ts';
import { Action, Line } from '../../parts/controls.ts';
import { Icon } from '../../parts/icon.ts';
import { Empty } from '../../parts/states.ts';

const TEXT_CHANNELS: readonly number[] = [0, 5];
/** Maximum of listed messages. */
const MAX_LISTED = 30;

/** Messages of text channels. */
export function Messages({ world, again }: PartProps): VNode {
  const channels = world.guilds.flatMap(({ channels: all }) =>
    all.filter(({ type }) => TEXT_CHANNELS.includes(type)),
  );
  const channelOf = (id: string): string => channels.find((one) => one.id === id)?.name ?? 'private';
  return html`<article class="card"><h2><${Icon} name="channels" /> Messages</h2>
    <ul class="rows talk">${world.messages.slice(-MAX_LISTED).map(
      ({
        id,
        channel,
        author,
        content,
      }) => html`<li key=${id}><span><strong>${nameOf(world, author)}</strong>${' '}
        <span class="id">#${channelOf(channel)}</span> <bdi>${content}</bdi></span>
        <${Action} action=${() => call('message.delete', { id })} done=${again} label=${`Delete the message of ${nameOf(world, author)}`}>Delete<//></li>`,
    )}</ul>
    <${Line} label="Write a message" button="Say" done=${again} action=${sendMessage}>
      <label>Channel <select name="channel">${channels.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}</select></label>
      <label>As <select name="author">${world.users.map(({ id, username }) => html`<option key=${id} value=${id} selected=${id === world.me}>${username}</option>`)}</select></label>
      <label>Text <input name="text" required /></label>
    <//>
  </article>` as VNode;
}

function sendMessage({
  channel = '',
  author = '',
  text = '',
}: Readonly<Record<string, string>>): Promise<unknown> {
  return call('channel.say', { channel, author, text });
}

/** Lobbies of games, and their messages. */
export function Lobbies({ world, again }: PartProps): VNode {
  const { lobbies, lobby_messages: messages, applications } = world;
  return html`<article class="card"><h2><${Icon} name="apps" /> Lobbies</h2>
    ${lobbies.length === 0 ? html`<${Empty}>There is no lobby. An app makes one, or let a user into one below.<//>` : null}
    <ul class="rows">${lobbies.map(
      ({
        id,
        application,
        members,
      }) => html`<li key=${id}><span>${applications.find((one) => one.id === application)?.name ?? application}
        ${' '}<span class="id">${id}</span>, ${amount(members.length, 'member')}</span></li>`,
    )}</ul>
    <ul class="rows talk">${messages.slice(-MAX_LISTED).map(
      ({
        id,
        author,
        content,
      }) => html`<li key=${id}><span><strong>${nameOf(world, author)}</strong> <bdi>${content}</bdi></span>
        <${Action} action=${() => call('lobby.delete-message', { id })} done=${again} label=${`Delete the lobby message of ${nameOf(world, author)}`}>Delete<//></li>`,
    )}</ul>
    <${Line} label="Let a user into a lobby" button="Join" done=${again}
      action=${({ app = '', secret = '', user = '' }) => call('lobby.join', { app, secret, user })}>
      <label>Application <select name="app">${applications.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}</select></label>
      <label>Secret <input name="secret" required autocomplete="off" /></label>
      <label>User <select name="user">${world.users.filter(({ bot }) => !bot).map(({ id, username }) => html`<option key=${id} value=${id}>${username}</option>`)}</select></label>
    <//>
    ${
      lobbies.length === 0
        ? null
        : html`<${Line} label="Write in a lobby" button="Say" done=${again}
      action=${({ lobby = '', user = '', text = '' }) => call('lobby.say', { lobby, user, text })}>
      <label>Lobby <select name="lobby">${lobbies.map(({ id }) => html`<option key=${id} value=${id}>${id}</option>`)}</select></label>
      <label>As <select name="user">${world.users.filter(({ bot }) => !bot).map(({ id, username }) => html`<option key=${id} value=${id}>${username}</option>`)}</select></label>
      <label>Text <input name="text" required /></label>
    <//>`
    }
  </article>` as VNode;
}
