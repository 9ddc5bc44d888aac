import { html } from 'htm/preact';
import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from '../parts/states.ts';

/** View whose script the browser reads when it is first opened; `load` resolves with its component. */
export function Later<Props extends object>({
  load,
  props,
}: {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props;
}): VNode {
  const [view, setView] = useState<{ readonly is: ComponentType<Props> } | 'loading' | 'failed'>('loading');
  useEffect(() => {
    load().then(
      (is) => setView({ is }),
      () => setView('failed'),
    );
  }, [load]);
  if (view === 'loading') return html`<${Loading} />` as VNode;
  if (view === 'failed')
    return html`<p class="problem" role="alert">The console does not answer. Reload the page once it runs again.</p>` as VNode;
  return html`<${view.is} ...${props} />` as VNode;
}
