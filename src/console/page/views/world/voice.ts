import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { nameOf, type PartProps, type World } from '../../data/world-data.ts';
import { Action, Line, messageOf, Problem, useOffer } from '../../parts/controls.ts';
import { Icon } from '../../parts/icon.ts';

const VOICE_CHANNELS: readonly number[] = [2, 13];

/** Voice settings of the logged-in user, and users by voice channel. */
export function Voice({ world, again }: PartProps): VNode {
  const { voice, voice_states: states } = world;
  const channels = world.guilds.flatMap((guild) =>
    guild.channels
      .filter(({ type }) => VOICE_CHANNELS.includes(type))
      .map((channel) => ({ ...channel, guild: guild.name })),
  );
  return html`<article class="card"><h2><${Icon} name="voice" /> Voice</h2>
    <${Slider} name="Input volume" setting="input.volume" value=${voice.input.volume} max=${100} again=${again} />
    <${Slider} name="Output volume" setting="output.volume" value=${voice.output.volume} max=${200} again=${again} />
    <p class="buttons">
      <${Toggle} name="Mute" setting="mute" on=${voice.mute} again=${again} />
      <${Toggle} name="Deafen" setting="deaf" on=${voice.deaf} again=${again} />
    </p>
    ${channels.map((channel) => {
      const inside = states.filter((state) => state.channel === channel.id);
      return html`<div key=${channel.id}><h3><bdi>${channel.name}</bdi> <span class="id">${channel.guild}</span></h3>
        ${inside.length === 0 ? html`<p class="note">nobody</p>` : null}
        <ul class="rows">${inside.map((state) => html`<${Speaker} key=${state.user} state=${state} name=${nameOf(world, state.user)} again=${again} />`)}</ul></div>`;
    })}
    <${Line} label="Put a user into a voice channel" button="Join" done=${again}
      action=${({ user = '', channel = '' }) => call('voice.join', { user, channel })}>
      <label>User <select name="user">${world.users.filter(({ bot }) => !bot).map(({ id, username }) => html`<option key=${id} value=${id}>${username}</option>`)}</select></label>
      <label>Channel <select name="channel">${channels.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}</select></label>
    <//>
  </article>` as VNode;
}

interface SettingProps {
  readonly name: string;
  readonly setting: string;
  readonly again: () => void;
}

function Slider({
  name,
  setting,
  value,
  max,
  again,
}: SettingProps & { readonly value: number; readonly max: number }): VNode {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const offer = useOffer();
  const set = async ({ currentTarget }: Event): Promise<void> => {
    try {
      await call('voice.set', { key: setting, value: (currentTarget as HTMLInputElement).value });
      setProblem(undefined);
      again();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return html`<label class="slider"><span>${name}</span>
    <input type="range" min="0" max=${max} value=${Math.round(value)} onChange=${set} ...${offer} /><output>${Math.round(value)}</output>
    <${Problem} text=${problem} /></label>` as VNode;
}

function Toggle({ name, setting, on, again }: SettingProps & { readonly on: boolean }): VNode {
  const toggle = () => call('voice.set', { key: setting, value: String(!on) });
  return html`<${Action} action=${toggle} done=${again} kind=${on ? 'bad' : 'plain'}>${on ? `${name}: on` : `${name}: off`}<//>` as VNode;
}

function Speaker({
  state,
  name,
  again,
}: {
  readonly state: World['voice_states'][number];
  readonly name: string;
  readonly again: () => void;
}): VNode {
  const { user, speaking } = state;
  const marks = [
    speaking ? 'speaks' : '',
    state.mute || state.self_mute ? 'muted' : '',
    state.deaf || state.self_deaf ? 'deaf' : '',
  ];
  return html`<li><span class=${speaking ? 'speaking' : ''}><bdi>${name}</bdi> <span class="id">${marks.filter((mark) => mark !== '').join(', ')}</span></span>
    <span class="buttons">
      <${Action} action=${() => call('voice.speak', { user, on: !speaking })} done=${again} label=${`${speaking ? 'Silence' : 'Speak'}: ${name}`}>${speaking ? 'Silence' : 'Speak'}<//>
      <${Action} action=${() => call('voice.leave', { user })} done=${again} label=${`Leave: ${name}`}>Leave<//>
    </span></li>` as VNode;
}
