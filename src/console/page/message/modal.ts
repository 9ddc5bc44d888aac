import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { COMPONENT, PLACEHOLDERS, selectKind } from '../../../message-text/components.ts';
import { isTrue, listOf, numberOf, objectOf, textOf, textsOf } from '../../../message-text/shape.ts';
import { Chooser } from './chooser.ts';
import { chosenOf, limits, offered, optionsOf } from './component-select.ts';
import { type Suggest, useDrawing } from './drawing.ts';
import { Text } from './text.ts';

/** Value of a field of a modal; a field for files has files. */
export type FieldValue = string | boolean | readonly string[] | readonly File[];

interface ModalProps {
  /** Components of the modal. */
  readonly components: readonly object[];
  readonly suggest: Suggest;
  /** Receives the value of a field that was changed, by its custom id. Unchanged fields retain their values. */
  readonly change: (customId: string, value: FieldValue) => void;
}

/** Fields of a modal, for a form that its owner submits. */
export function ModalFields({ components, suggest, change }: ModalProps): VNode {
  return html`<div class="modal-fields">${components.slice(0, 40).map((one, index) => {
    const type = numberOf(one, 'type');
    if (type === COMPONENT.textDisplay) return html`<${Text} key=${index} text=${textOf(one, 'content')} />`;
    const field = type === COMPONENT.label ? objectOf(one, 'component') : listOf(one, 'components', 1)[0];
    if (field === undefined) return null;
    const label = textOf(one, 'label') || textOf(field, 'label');
    return html`<${Field} key=${index} field=${field} label=${label} description=${textOf(one, 'description')} suggest=${suggest} change=${(value: FieldValue) => change(textOf(field, 'custom_id'), value)} />`;
  })}</div>` as VNode;
}

interface FieldProps {
  readonly field: object;
  readonly label: string;
  readonly description: string;
  readonly suggest: Suggest;
  readonly change: (value: FieldValue) => void;
}

function Field(props: FieldProps): VNode {
  const { field, label, description } = props;
  const id = useId();
  const isRequired = isTrue(field, 'required');
  const isGroup = [COMPONENT.radioGroup, COMPONENT.checkboxGroup].includes(
    numberOf(field, 'type') as 21 | 22,
  );
  const name = html`<bdi>${label}</bdi>${isRequired ? html`<span class="required" title="required"> *</span>` : null}`;
  const about =
    description === '' ? null : html`<div class="note" id=${`${id}-about`}><bdi>${description}</bdi></div>`;
  const input = html`<${Input} ...${props} id=${id} />`;
  return (
    isGroup
      ? html`<fieldset class="modal-field"><legend>${name}</legend>${about}${input}</fieldset>`
      : html`<div class="modal-field"><label for=${id}>${name}</label>${about}${input}</div>`
  ) as VNode;
}

function Input({
  field,
  label,
  description,
  suggest,
  change,
  id,
}: FieldProps & { readonly id: string }): VNode {
  const { names } = useDrawing();
  const type = numberOf(field, 'type') ?? 0;
  const state = {
    id,
    required: isTrue(field, 'required'),
    'aria-describedby': description === '' ? undefined : `${id}-about`,
  };
  const value = (event: Event): string => (event.currentTarget as HTMLInputElement).value;
  const kind = selectKind(type);
  if (kind !== undefined) {
    return html`<${Chooser} isForm label=${textOf(field, 'placeholder') || label || PLACEHOLDERS[kind]} ...${limits(field)} chosen=${chosenOf(field, names)} offer=${offered(field, kind, suggest)} state=${{ id }} choose=${change} />` as VNode;
  }
  switch (type) {
    case COMPONENT.textInput: {
      const more = {
        ...state,
        minlength: numberOf(field, 'min_length'),
        maxlength: numberOf(field, 'max_length') ?? 4000,
        placeholder: textOf(field, 'placeholder'),
        onInput: (event: Event) => change(value(event)),
      };
      return (
        numberOf(field, 'style') === 2
          ? html`<textarea rows="4" dir="auto" defaultValue=${textOf(field, 'value')} ...${more}></textarea>`
          : html`<input dir="auto" autocomplete="off" defaultValue=${textOf(field, 'value')} ...${more} />`
      ) as VNode;
    }
    case COMPONENT.fileUpload:
      return html`<input type="file" ...${state} multiple=${(numberOf(field, 'max_values') ?? 1) > 1} accept=${textsOf(field, 'file_types').map(accepted).join()}
        onChange=${(event: Event) => change([...((event.currentTarget as HTMLInputElement).files ?? [])])} />` as VNode;
    case COMPONENT.radioGroup:
    case COMPONENT.checkboxGroup:
      return html`<${Group} field=${field} isSingle=${type === COMPONENT.radioGroup} change=${change} />` as VNode;
    case COMPONENT.checkbox:
      return html`<input type="checkbox" id=${id} defaultChecked=${isTrue(field, 'default')} onChange=${(event: Event) => change((event.currentTarget as HTMLInputElement).checked)} />` as VNode;
    default:
      return html`<span class="note">Field of type ${type}</span>` as VNode;
  }
}

/** A group of file types such as `image` as inputs of pages name it; an extension stays. */
function accepted(type: string): string {
  return type.startsWith('.') ? type : `${type}/*`;
}

function Group({
  field,
  isSingle,
  change,
}: {
  readonly field: object;
  readonly isSingle: boolean;
  readonly change: (value: FieldValue) => void;
}): VNode {
  const name = useId();
  const { names } = useDrawing();
  const [picked, setPicked] = useState<readonly string[]>(() =>
    chosenOf(field, names).map(({ value }) => value),
  );
  const max = isSingle ? 1 : (numberOf(field, 'max_values') ?? 10);
  const pick = (value: string): void => {
    const others = picked.filter((one) => one !== value);
    const next = isSingle ? [value] : picked.includes(value) ? others : [...others, value];
    setPicked(next);
    change(isSingle ? value : next);
  };
  return html`<div class="modal-group">${optionsOf(field).map(({ value, label, description }) => {
    const isPicked = picked.includes(value);
    return html`<label key=${value}><input type=${isSingle ? 'radio' : 'checkbox'} name=${name} value=${value} checked=${isPicked} disabled=${!isSingle && !isPicked && picked.length >= max} onChange=${() => pick(value)} />
      <span class="choice"><bdi>${label}</bdi>${description ? html`<span class="note"><bdi>${description}</bdi></span>` : null}</span></label>`;
  })}</div>` as VNode;
}
