import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const THEMES = ['auto', 'light', 'dark'] as const;

/** Where the choice is kept, in this browser. */
const KEY = 'footbridge-theme';

/** Light, dark, or as the system has it. */
export function ThemeSwitch(): VNode {
  const [theme, setTheme] = useState(() => localStorage.getItem(KEY) ?? 'auto');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(KEY, theme);
  }, [theme]);
  return html`<label class="theme">Theme <select value=${theme} onChange=${({ currentTarget }: Event) => setTheme((currentTarget as HTMLSelectElement).value)}>
    ${THEMES.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
  </select></label>` as VNode;
}
