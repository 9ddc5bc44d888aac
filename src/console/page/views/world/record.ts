import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { Action, usePolled } from '../../parts/controls.ts';
import { Command } from '../../parts/copy.ts';
import { Icon } from '../../parts/icon.ts';
import { saveFile } from '../../parts/save-file.ts';

/** Name of the saved file. */
const FILE = 'scenario.toml';

/** Records what users do and what bots answer, and saves it as a file of scenarios. */
export function Record(): VNode {
  const { value, again } = usePolled(() => call('record.show'), 1000);
  const [saved, setSaved] = useState<{ readonly steps: number; readonly expectations: number } | undefined>(
    undefined,
  );
  const stop = async (): Promise<void> => {
    const { text, steps, expectations } = await call('record.stop');
    if (steps > 0) saveFile(FILE, text, 'application/toml');
    setSaved({ steps, expectations });
  };
  return html`<article class="card"><h2><${Icon} name="traffic" /> Scenario</h2>
    <p class="note">What users do becomes steps, what bots answer becomes expectations.</p>
    <p class="buttons">
      ${
        value?.recording === true
          ? html`<${Action} action=${stop} done=${again} kind="good">End and save<//>`
          : html`<${Action} action=${() => call('record.start')} done=${again}>Record<//>`
      }
      <span role="status">${value?.recording === true ? `Recording; steps: ${value.steps}` : saved?.steps === 0 ? 'Nothing was recorded.' : null}</span>
    </p>
    ${value?.recording !== true && saved !== undefined && saved.steps > 0 ? html`<p>Play it by <${Command} text=${`footbridge emulator play ${FILE}${saved.expectations > 0 ? ' -- COMMAND' : ''}`} /></p>` : null}
  </article>` as VNode;
}
