import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { PLACEHOLDERS, type SelectKind, selectKind } from '../../../message-text/components.ts';
import { isTrue, listOf, type Names, numberOf, objectOf, own, textOf } from '../../../message-text/shape.ts';
import { Problem, useAct, useOffer } from '../parts/controls.ts';
import { Icon } from '../parts/icon.ts';
import { Chooser } from './chooser.ts';
import type { ComponentProps } from './component-props.ts';
import { type Suggestion, useDrawing } from './drawing.ts';

/** Select of a message, of all five kinds. */
export function Select({ component }: ComponentProps): VNode {
  const { actions, names } = useDrawing();
  const offer = useOffer();
  const { isBusy, problem, run } = useAct();
  const kind = selectKind(numberOf(component, 'type') ?? 0) ?? 'text';
  const label = textOf(component, 'placeholder') || PLACEHOLDERS[kind];
  const isDisabled = isTrue(component, 'disabled');
  const chosen = chosenOf(component, names);
  const customId = textOf(component, 'custom_id');
  if (actions === undefined || customId === '') {
    return html`<span class=${`chooser-field ${isDisabled ? 'off' : ''}`}><span class="chooser-value">${chosen.length === 0 ? html`<span class="note"><bdi>${label}</bdi></span>` : chosen.map((one) => html`<bdi class="chosen-chip">${one.label}</bdi>`)}</span><${Icon} name="down" /></span>` as VNode;
  }
  return html`<div class="select-place"><${Chooser} label=${label} ...${limits(component)} chosen=${chosen}
      offer=${offered(component, kind, actions.suggest)} state=${isDisabled ? { disabled: true } : { 'aria-busy': isBusy, ...offer }}
      choose=${(values: readonly string[]) => run(() => actions.choose(customId, values))} />
    <${Problem} text=${problem} /></div>` as VNode;
}

/** Minimum and maximum number of values of a select. */
export function limits(select: object): { readonly min: number; readonly max: number } {
  return { min: numberOf(select, 'min_values') ?? 1, max: numberOf(select, 'max_values') ?? 1 };
}

/** Options of a select of texts; of any other, what a function offers for a text that is typed. */
export function offered(
  select: object,
  kind: SelectKind,
  suggest: (kind: SelectKind, text: string) => Promise<readonly Suggestion[]>,
): readonly Suggestion[] | ((text: string) => Promise<readonly Suggestion[]>) {
  return kind === 'text' ? optionsOf(select) : (text) => suggest(kind, text);
}

/** Options of a select, a group of radio buttons or of checkboxes. */
export function optionsOf(select: object): readonly Suggestion[] {
  return listOf(select, 'options', 25).map((option) => ({
    value: textOf(option, 'value'),
    label: textOf(option, 'label'),
    description: textOf(option, 'description'),
    emoji: objectOf(option, 'emoji'),
  }));
}

/** Default choices of a select. */
export function chosenOf(select: object, names: Names): readonly Suggestion[] {
  const defaults = new Set(
    listOf(select, 'options', 25)
      .filter((option) => isTrue(option, 'default'))
      .map((option) => textOf(option, 'value')),
  );
  return [
    ...optionsOf(select).filter(({ value }) => defaults.has(value)),
    ...listOf(select, 'default_values', 25).map((one) => {
      const value = textOf(one, 'id');
      const table = { user: names.users, role: names.roles, channel: names.channels }[textOf(one, 'type')];
      return { value, label: (table && own<{ name: string }>(table, value)?.name) ?? value };
    }),
  ];
}
