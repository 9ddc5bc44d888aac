import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const THEMES = ['auto', 'light', 'dark', 'contrast'] as const;

/** Key of the choice in this browser's storage. */
const KEY = 'footbridge-theme';

/** Switch between light, dark and the system's theme. */
export function ThemeSwitch(): VNode {
  const [theme, setTheme] = useState(() => localStorage.getItem(KEY) ?? 'auto');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  const choose = ({ currentTarget }: Event): void => {
    const { value } = currentTarget as HTMLSelectElement;
    // At once: an effect would run after the next frame, and a page that is left before would lose the choice.
    localStorage.setItem(KEY, value);
    setTheme(value);
  };
  return html`<label class="theme">Theme <select value=${theme} onChange=${choose}>
    ${THEMES.map((one) => html`<option key=${one} value=${one}>${one === 'contrast' ? 'high contrast' : one}</option>`)}
  </select></label>` as VNode;
}
