import { html } from 'htm/preact';
import type { ComponentChildren, FunctionComponent, VNode } from 'preact';
import {
  areSeparators,
  areTooMany,
  COMPONENT,
  MAX_COMPONENT_DEPTH,
  MAX_COMPONENTS,
  type MESSAGE_COMPONENTS,
} from '../../../message-text/components.ts';
import { numberOf, own } from '../../../message-text/shape.ts';
import { Button } from './component-button.ts';
import {
  Container,
  FileComponent,
  Gallery,
  Row,
  Section,
  Separator,
  TextDisplay,
  Thumbnail,
} from './component-layout.ts';
import type { ComponentProps } from './component-props.ts';
import { Select } from './component-select.ts';

/** How each type of a message's components is drawn. */
const DRAWERS: Readonly<Record<(typeof MESSAGE_COMPONENTS)[number], FunctionComponent<ComponentProps>>> = {
  [COMPONENT.row]: Row,
  [COMPONENT.button]: Button,
  [COMPONENT.textSelect]: Select,
  [COMPONENT.userSelect]: Select,
  [COMPONENT.roleSelect]: Select,
  [COMPONENT.mentionableSelect]: Select,
  [COMPONENT.channelSelect]: Select,
  [COMPONENT.section]: Section,
  [COMPONENT.textDisplay]: TextDisplay,
  [COMPONENT.thumbnail]: Thumbnail,
  [COMPONENT.gallery]: Gallery,
  [COMPONENT.file]: FileComponent,
  [COMPONENT.separator]: Separator,
  [COMPONENT.container]: Container,
};

/** Components of a message; separators alone draw nothing, as in the platform's clients. */
export function Components({ components }: { readonly components: readonly object[] }): VNode | null {
  if (components.length === 0 || areSeparators(components)) return null;
  if (areTooMany(components)) return html`<p class="note">Too many components to draw.</p>` as VNode;
  return html`<div class="components">${drawAll(components, 0)}</div>` as VNode;
}

function drawAll(components: readonly object[], depth: number): ComponentChildren {
  if (depth > MAX_COMPONENT_DEPTH) return html`<span class="note">Nested too deeply.</span>`;
  const draw = (inside: readonly object[]): ComponentChildren => drawAll(inside, depth + 1);
  return components.slice(0, MAX_COMPONENTS).map((component, index) => {
    const type = numberOf(component, 'type') ?? 0;
    const Drawer = own<FunctionComponent<ComponentProps>>(DRAWERS, String(type));
    return Drawer === undefined
      ? html`<span key=${index} class="note">Component of type ${type}</span>`
      : html`<${Drawer} key=${numberOf(component, 'id') ?? index} component=${component} draw=${draw} />`;
  });
}
