import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { call } from '../../data/api.ts';
import { Action } from '../../parts/controls.ts';
import { coded } from './actions.ts';
import type { ListedChannel } from './types.ts';

/** A voice channel: who is there, and what the user does there. */
export function VoiceRoom({
  channel,
  user,
  again,
}: {
  readonly channel: ListedChannel;
  readonly user: string;
  /** Requests the list of channels anew. */
  readonly again: () => void;
}): VNode {
  const voice = channel.voice ?? [];
  const own = voice.find(({ username }) => username === user);
  const isOn = own !== undefined;
  return html`<section class="voice-room" aria-label=${`Voice in ${channel.name}`}>
    ${voice.length === 0 ? html`<p class="empty">Nobody is here.</p>` : null}
    <ul class="talkers">${voice.map(
      (one) => html`<li key=${one.user} class=${one.speaking ? 'speaks' : ''}><strong>${one.username}</strong>
        <span class="note">${[one.speaking ? 'speaks' : 'is silent', one.mute ? 'muted' : '', one.deaf ? 'deafened' : ''].filter((text) => text !== '').join(', ')}</span></li>`,
    )}</ul>
    <p class="buttons">
      ${
        isOn
          ? html`<${Action} kind="bad" done=${again} action=${() => coded(call('voice.leave', { user }))}>Leave<//>`
          : html`<${Action} kind="good" done=${again} action=${() => coded(call('voice.join', { user, channel: channel.id }))}>Join<//>`
      }
      ${
        isOn
          ? html`<${Action} done=${again} action=${() => coded(call('voice.mute', { user, on: !own.mute }))}>${own.mute ? 'Unmute' : 'Mute'}<//>
        <${Action} done=${again} action=${() => coded(call('voice.deafen', { user, on: !own.deaf }))}>${own.deaf ? 'Undeafen' : 'Deafen'}<//>
        <${Action} done=${again} action=${() => coded(call('voice.speak', { user, on: !own.speaking }))}>${own.speaking ? 'Stop speaking' : 'Speak'}<//>`
          : null
      }
    </p>
  </section>` as VNode;
}
