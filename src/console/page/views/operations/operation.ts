import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { OperationDetails } from '../../../../control/operation-summary.ts';
import { callAny, operationDetails } from '../../data/api.ts';
import { formValues, Line, messageOf } from '../../parts/controls.ts';
import { Command, CopyButton } from '../../parts/copy.ts';
import { Loading } from '../../parts/states.ts';
import { commandLine } from './command-line.ts';
import { type Field, fieldsOf, valuesOf } from './operation-form.ts';
import { noteOperation } from './recent.ts';

interface Details extends Omit<OperationDetails, 'schema' | 'args'> {
  readonly fields: readonly Field[];
}

/**
 * One operation with its form. `names` changes when a bridge answers again, which may declare the operation in another
 * way; `ran` is called after the operation has run.
 */
export function Operation({
  name,
  names,
  ran,
}: {
  readonly name: string;
  readonly names: ReadonlySet<string>;
  readonly ran: () => void;
}): VNode {
  const [details, setDetails] = useState<Details | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [result, setResult] = useState<string | undefined>(undefined);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
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
  if (details === undefined) return html`<${Loading} />` as VNode;
  const { summary, about, fields, command } = details;
  const run = async (values: Readonly<Record<string, string>>): Promise<void> => {
    setResult(JSON.stringify(await callAny(name, valuesOf(fields, values)), null, 2));
    noteOperation(name);
    ran();
  };
  const type = ({ target }: Event): void => {
    const form = (target as HTMLInputElement).form;
    if (form === null) return;
    setTyped(formValues(form));
  };
  const line = lineOf(name, command, fields, typed);
  return html`<article class="card operation"><h2>${name}</h2>
    <p>${withCode(`${summary}.${about === null ? '' : ` ${about}`}`)}</p>
    <div onInput=${type} onChange=${type}>
      <${Line} label=${name} button="Run" action=${run}>${fields.map((field) => html`<${Input} key=${field.name} field=${field} />`)}<//>
    </div>
    <h3>On a command line</h3>
    <${Command} text=${line} what=${`the command line of ${name}`} />
    ${
      result === undefined
        ? null
        : html`<h3>Result</h3><p><${CopyButton} text=${result} what="the result" /></p>
      <pre role="status" tabindex="0" aria-label="Result">${result}</pre>`
    }
  </article>` as VNode;
}

/** Text of a declaration, in which words between backticks are code. */
function withCode(text: string): readonly (string | VNode)[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : (html`<code>${part}</code>` as VNode)));
}

/** Command line for what was typed; placeholders stand for required arguments that are still empty. */
function lineOf(
  name: string,
  command: Details['command'],
  fields: readonly Field[],
  typed: Readonly<Record<string, string>>,
): string {
  const filled = Object.fromEntries(
    fields.map(({ name: field, isRequired, kind, choices }) => {
      const empty = isRequired && kind === 'text' && choices === undefined ? field.toUpperCase() : '';
      return [field, typed[field] || (choices === undefined || !isRequired ? empty : (choices[0] ?? ''))];
    }),
  );
  try {
    return commandLine(name, command, valuesOf(fields, filled));
  } catch {
    // A number or JSON that is not complete yet.
    return commandLine(name, command, {});
  }
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
