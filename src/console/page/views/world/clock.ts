import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { call } from '../../data/api.ts';
import { Action, Line, usePolled } from '../../parts/controls.ts';
import { Icon } from '../../parts/icon.ts';

/** Clock of the emulator. */
export function Clock({ again }: { readonly again: () => void }): VNode {
  const { value, again: refresh } = usePolled(() => call('clock.now'), 1000);
  const done = (): void => {
    refresh();
    again();
  };
  const state =
    value === undefined ? '' : value.frozen ? 'stands' : value.ahead_ms === 0 ? 'as the machine' : 'moved';
  return html`<article class="card"><h2><${Icon} name="clock" /> Clock</h2>
    <p class="figure">${value === undefined ? '–' : value.now.slice(0, 19).replace('T', ' ')}</p><p class="note">UTC, ${state}</p>
    <p class="buttons">
      ${
        value?.frozen === true
          ? html`<${Action} action=${() => call('clock.run')} done=${done}>Run<//>`
          : html`<${Action} action=${() => call('clock.freeze')} done=${done}>Freeze<//>`
      }
      <${Action} action=${() => call('clock.reset')} done=${done}>Reset<//>
    </p>
    <${Line} label="Move the clock on" button="Advance" done=${done} action=${({ by = '' }) => call('clock.advance', { by })}>
      <label>By <input name="by" required placeholder="2h" size="8" /></label>
    <//>
    <${Line} label="Set the clock" button="Set" done=${done} action=${({ to = '' }) => call('clock.set', { to })}>
      <label>To <input name="to" required placeholder="2030-01-01T12:00:00Z" size="22" /></label>
    <//>
  </article>` as VNode;
}
