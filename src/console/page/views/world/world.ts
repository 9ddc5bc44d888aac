import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { call } from '../../data/api.ts';
import type { World } from '../../data/world-data.ts';
import { Problem, usePolled } from '../../parts/controls.ts';
import { Loading } from '../../parts/states.ts';
import { Clock } from './clock.ts';
import { Lobbies, Messages } from './messages.ts';
import { Record } from './record.ts';
import { Save } from './save.ts';
import { Users } from './users.ts';
import { Voice } from './voice.ts';
import { Webhooks } from './webhooks.ts';

/** View of the emulator's state, with controls to change it. */
export function WorldView(): VNode {
  const { value, problem, again } = usePolled(
    async () => (await call('emulator.show')) as unknown as World,
    2000,
  );
  return html`<section aria-labelledby="world-title">
    <h1 id="world-title">World</h1>
    <p class="note">What the emulator holds now, and what a person would do in it. Messages are drawn in Channels.</p>
    <${Problem} text=${problem} />
    ${
      value === undefined
        ? problem === undefined && html`<${Loading} />`
        : html`<div class="cards wide">
      <${Clock} again=${again} /><${Users} world=${value} again=${again} /><${Voice} world=${value} again=${again} />
      <${Messages} world=${value} again=${again} /><${Lobbies} world=${value} again=${again} /><${Webhooks} world=${value} />
      <${Save} again=${again} /><${Record} />
    </div>`
    }
  </section>` as VNode;
}
