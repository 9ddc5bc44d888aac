import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { Chooser } from '../../message/chooser.ts';
import { messageOf, Problem } from '../../parts/controls.ts';
import { suggesting } from './actions.ts';
import type { Option } from './command-options.ts';

/** Value of an option; undefined for one that is left out. */
export type OptionValue = string | number | boolean | File | undefined;

interface Completed {
  readonly name: string;
  readonly value: string | number;
}

interface OptionProps {
  readonly option: Option;
  readonly at: { readonly channel: string; readonly user: string };
  /** Choices of the application for a text that is typed. */
  readonly complete?: (text: string) => Promise<readonly Completed[]>;
  readonly change: (value: OptionValue) => void;
}

const [INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT] = [4, 5, 6, 7, 8, 9, 10, 11];
const KINDS = { [USER]: 'user', [CHANNEL]: 'channel', [ROLE]: 'role', [MENTIONABLE]: 'mentionable' } as const;
/** Pause in typing after which the choices are requested from the application (ms). */
const PAUSE_MS = 250;

/** Field of one option, by its type. */
export function CommandOption({ option, at, complete, change }: OptionProps): VNode {
  const { type, name, description, required = false } = option;
  const id = useId();
  const about = `${id}-about`;
  return html`<div class="option"><label for=${id}>${name}${required ? html`<span class="required" title="required"> *</span>` : null}</label>
    <${Input} option=${option} at=${at} complete=${complete} change=${change} state=${{ id, required, 'aria-describedby': about }} type=${type} />
    <span class="note" id=${about}>${description}</span></div>` as VNode;
}

function Input({
  option,
  at,
  complete,
  change,
  state,
}: OptionProps & { readonly state: Readonly<Record<string, unknown>> }): VNode {
  const { type, choices, name } = option;
  const typed = (event: Event): string => (event.currentTarget as HTMLInputElement).value;
  const valued = (text: string): OptionValue => (text === '' ? undefined : text);
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type as keyof typeof KINDS] : undefined;
  if (kind !== undefined) {
    const suggest = suggesting(at.channel, at.user);
    return html`<${Chooser} isForm label=${name} min=${option.required === true ? 1 : 0} max=${1} chosen=${NOTHING} offer=${(text: string) => suggest(kind, text)} state=${state} choose=${([value]: readonly string[]) => change(value)} />` as VNode;
  }
  if (type === ATTACHMENT)
    return html`<input type="file" ...${state} onChange=${(event: Event) => change((event.currentTarget as HTMLInputElement).files?.[0])} />` as VNode;
  const listed = type === BOOLEAN ? YES_NO : choices;
  if (listed !== undefined && listed.length > 0) {
    return html`<select ...${state} onChange=${(event: Event) => change(valued(typed(event)))}><option value="">…</option>
      ${listed.map((one) => html`<option key=${one.value} value=${String(one.value)}>${one.name}</option>`)}</select>` as VNode;
  }
  if (option.autocomplete === true && complete !== undefined) {
    return html`<${Completing} complete=${complete} change=${change} state=${state} />` as VNode;
  }
  const limits =
    type === INTEGER || type === NUMBER
      ? { type: 'number', step: type === INTEGER ? 1 : 'any', min: option.min_value, max: option.max_value }
      : { minlength: option.min_length, maxlength: option.max_length };
  return html`<input autocomplete="off" dir="auto" ...${state} ...${limits} onInput=${(event: Event) => change(valued(typed(event)))} />` as VNode;
}

/** The same list each time, so that a chooser retains the choice. */
const NOTHING: readonly never[] = [];
const YES_NO = [
  { name: 'True', value: 'true' },
  { name: 'False', value: 'false' },
] as const;

/** Text for which the application suggests choices; of several answers the one to the last text counts. */
function Completing({
  complete,
  change,
  state,
}: {
  readonly complete: (text: string) => Promise<readonly Completed[]>;
  readonly change: (value: OptionValue) => void;
  readonly state: Readonly<Record<string, unknown>>;
}): VNode {
  const [text, setText] = useState<string | undefined>(undefined);
  const [found, setFound] = useState<readonly Completed[]>([]);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isChosen, setChosen] = useState(false);
  useEffect(() => {
    if (text === undefined || isChosen) return undefined;
    let isWanted = true;
    const timer = setTimeout(() => {
      complete(text).then(
        (choices) => {
          if (!isWanted) return;
          setFound(choices);
          setProblem(undefined);
        },
        (error: unknown) => isWanted && setProblem(messageOf(error)),
      );
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text, isChosen]);
  const type = (value: string): void => {
    setText(value);
    setChosen(false);
    change(value === '' ? undefined : value);
  };
  const choose = ({ name, value }: Completed): void => {
    setText(name);
    setChosen(true);
    setFound([]);
    change(value);
  };
  return html`<input autocomplete="off" dir="auto" value=${text ?? ''} ...${state} onFocus=${() => text === undefined && setText('')} onInput=${(event: Event) => type((event.currentTarget as HTMLInputElement).value)} />
    ${found.length === 0 ? null : html`<ul class="completions" aria-label="Choices">${found.map((one) => html`<li key=${`${one.name} ${one.value}`}><button type="button" onClick=${() => choose(one)}><bdi>${one.name}</bdi></button></li>`)}</ul>`}
    <${Problem} text=${problem} />` as VNode;
}
