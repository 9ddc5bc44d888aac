import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { LINK_BUTTON, PREMIUM_BUTTON } from '../../../message-text/components.ts';
import { isTrue, numberOf, objectOf, textOf, webAddress } from '../../../message-text/shape.ts';
import { Problem, useAct, useOffer } from '../parts/controls.ts';
import { Icon } from '../parts/icon.ts';
import type { ComponentProps } from './component-props.ts';
import { useDrawing } from './drawing.ts';
import { Emoji } from './emoji.ts';

/** Button of a message. */
export function Button({ component }: ComponentProps): VNode {
  const { actions } = useDrawing();
  const offer = useOffer();
  const { isBusy, problem, run } = useAct();
  const style = numberOf(component, 'style') ?? 2;
  // Styles without a look of their own look like the second.
  const look = `press look-${[1, 3, 4].includes(style) ? style : 2}`;
  const label = textOf(component, 'label') || (style === PREMIUM_BUTTON ? 'Buy' : '');
  const content = html`<${Emoji} emoji=${objectOf(component, 'emoji')} />${label === '' ? null : html`<bdi>${label}</bdi>`}`;
  const isDisabled = isTrue(component, 'disabled');
  const url = style === LINK_BUTTON ? webAddress(textOf(component, 'url')) : undefined;
  if (url !== undefined && !isDisabled) {
    return html`<a class=${look} href=${url} target="_blank" rel="noreferrer noopener" title=${url}>${content}<${Icon} name="away" /></a>` as VNode;
  }
  const customId = textOf(component, 'custom_id');
  if (actions === undefined || customId === '') {
    return html`<span class=${`${look} ${isDisabled ? 'off' : ''}`}>${content}${style === LINK_BUTTON ? html`<${Icon} name="away" />` : null}</span>` as VNode;
  }
  const state = isDisabled ? { disabled: true } : offer;
  return html`<span class="press-place"><button type="button" class=${look} aria-busy=${isBusy} onClick=${() => run(() => actions.click(customId))} ...${state}>${content}</button><${Problem} text=${problem} /></span>` as VNode;
}
