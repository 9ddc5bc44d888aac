import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { Action } from '../../parts/controls.ts';
import { Command } from '../../parts/copy.ts';
import { Icon } from '../../parts/icon.ts';
import { saveFile } from '../../parts/save-file.ts';

/** Name of the saved file. */
const FILE = 'world.jsonl';

/** Saves the state as a file, and shows the lines with which a test begins with it. */
export function Save({ again }: { readonly again: () => void }): VNode {
  const [isSaved, setSaved] = useState(false);
  const save = async (): Promise<void> => {
    const { state } = await call('emulator.export');
    saveFile(FILE, state, 'application/x-ndjson');
    setSaved(true);
  };
  return html`<article class="card"><h2><${Icon} name="download" /> Save and return</h2>
    <p class="note">The file has client secrets. A reset returns to the fixture, or to the last seed.</p>
    <p class="buttons">
      <${Action} action=${save}>Save as ${FILE}<//>
      <${Action} action=${() => call('emulator.seed')}>Seed<//>
      <${Action} action=${() => call('emulator.reset')} done=${again} confirm="Reset?">Reset<//>
    </p>
    ${
      isSaved &&
      html`<p>A test begins with it by <${Command} text=${`startEmulator({ fixture: '${FILE}' })`} />
      in any other language by <${Command} text=${`footbridge emulate --fixture ${FILE} -- COMMAND`} /></p>`
    }
  </article>` as VNode;
}
