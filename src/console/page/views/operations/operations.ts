import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { callAny, operationDetails } from '../../data/api.ts';
import { Line, messageOf } from '../../parts/controls.ts';
import { type Field, fieldsOf, valuesOf } from './operation-form.ts';

interface Details {
  readonly name: string;
  readonly summary: string;
  readonly about: string | null;
  readonly fields: readonly Field[];
}

/**
 * View of every operation of the bridge, each as a form that is generated from its declaration. `name` is the selected
 * operation; `names` is undefined until the bridge has listed them.
 */
export function Operations({
  name,
  names,
}: {
  readonly name: string;
  readonly names: ReadonlySet<string> | undefined;
}): VNode {
  const choose = ({ currentTarget }: Event): void => {
    location.hash = `#/operations/${(currentTarget as HTMLSelectElement).value}`;
  };
  return html`<section aria-labelledby="operations-title">
    <h1 id="operations-title">Operations</h1>
    <p>Every operation of this bridge: the same as <code>footbridge emulator …</code> and a call in a test.</p>
    <p><label>Operation <select value=${name} onChange=${choose}>
      <option value="">Choose one</option>
      ${[...(names ?? [])].sort().map((one) => html`<option key=${one} value=${one} selected=${one === name}>${one}</option>`)}
    </select></label></p>
    ${name === '' || names === undefined ? null : names.has(name) ? html`<${Operation} key=${name} name=${name} names=${names} />` : html`<p class="problem" role="alert">This bridge has no operation ${JSON.stringify(name)}. Choose one of the list.</p>`}
  </section>` as VNode;
}

/** `names` changes when a bridge answers again, which may declare the operation in another way. */
function Operation({ name, names }: { readonly name: string; readonly names: ReadonlySet<string> }): VNode {
  const [details, setDetails] = useState<Details | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [result, setResult] = useState<string | undefined>(undefined);
  useEffect(() => {
    operationDetails(name).then(
      ({ schema, ...one }) => {
        setDetails({ ...one, fields: fieldsOf(schema.args) });
        setProblem(undefined);
      },
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, [name, names]);
  if (problem !== undefined) return html`<p class="problem" role="alert">${problem}</p>` as VNode;
  if (details === undefined) return html`<p>Looking…</p>` as VNode;
  const { summary, about, fields } = details;
  const run = async (values: Readonly<Record<string, string>>): Promise<void> => {
    setResult(JSON.stringify(await callAny(name, valuesOf(fields, values)), null, 2));
  };
  return html`<article class="card"><h2>${name}</h2>
    <p>${summary}.${about === null ? '' : ` ${about}`}</p>
    <${Line} label=${name} button="Run" action=${run}>${fields.map((field) => html`<${Input} key=${field.name} field=${field} />`)}<//>
    ${result === undefined ? null : html`<pre role="status" tabindex="0" aria-label="Result">${result}</pre>`}
  </article>` as VNode;
}

function Input({ field }: { readonly field: Field }): VNode {
  const { name, kind, isRequired, choices } = field;
  const label = isRequired ? name : `${name} (optional)`;
  if (choices !== undefined) {
    return html`<label>${label} <select name=${name} required=${isRequired}>
      ${isRequired ? null : html`<option value=""></option>`}
      ${choices.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
    </select></label>` as VNode;
  }
  const hint = { text: '', number: '0', list: 'a, b', json: '{}' }[kind];
  return html`<label>${label} <input name=${name} required=${isRequired} placeholder=${hint} /></label>` as VNode;
}
