import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const THEMES = ['auto', 'light', 'dark'] as const;

/** Key of the choice in this browser's storage. */
const KEY = 'footbridge-theme';

/** Switch between light, dark and the system's theme. */
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
