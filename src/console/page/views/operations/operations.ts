import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OperationSummary } from '../../../../control/operation-summary.ts';
import { listOperations } from '../../data/api.ts';
import { messageOf } from '../../parts/controls.ts';
import { Icon } from '../../parts/icon.ts';
import { Empty, Loading } from '../../parts/states.ts';
import { useKeys } from '../../shell/keys.ts';
import { pageAddress } from '../../shell/pages.ts';
import { groupsOf } from './groups.ts';
import { Operation } from './operation.ts';
import { recentOperations } from './recent.ts';

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
  const { operations, problem } = useSummaries(names);
  const [typed, setTyped] = useState('');
  const [, setRuns] = useState(0);
  const search = useRef<HTMLInputElement>(null);
  useKeys([{ key: '/', does: 'search the operations', run: () => search.current?.focus() }]);
  const type = ({ currentTarget }: Event): void => setTyped((currentTarget as HTMLInputElement).value);
  return html`<section aria-labelledby="operations-title">
    <h1 id="operations-title">Operations</h1>
    <p class="note">Everything that this bridge can be told, as <code>footbridge emulator …</code> and a call in a test do it.</p>
    ${problem === undefined ? null : html`<p class="problem" role="alert">${problem}</p>`}
    <div class=${name === '' ? 'operations' : 'operations chosen'}>
      <div class="finder">
        <label class="search"><${Icon} name="search" /><span class="unseen">Search operations</span>
          <input ref=${search} type="search" placeholder="Name, command or purpose" value=${typed} onInput=${type} /></label>
        ${operations === undefined ? problem === undefined && html`<${Loading} />` : html`<${List} operations=${operations} typed=${typed} name=${name} />`}
      </div>
      <div class="one">${contentOf(name, names, () => setRuns((count) => count + 1))}</div>
    </div>
  </section>` as VNode;
}

function contentOf(name: string, names: ReadonlySet<string> | undefined, ran: () => void): VNode | null {
  if (names === undefined) return null;
  if (name === '')
    return html`<${Empty} icon="operations" title="Choose an operation">
      <p>Its form shows what it takes, and the command line that does the same.</p><//>` as VNode;
  return names.has(name)
    ? (html`<${Operation} key=${name} name=${name} names=${names} ran=${ran} />` as VNode)
    : (html`<p class="problem" role="alert">This bridge has no operation ${JSON.stringify(name)}. Choose one of the list.</p>` as VNode);
}

/** Operations of the bridge, requested again when it answers again. */
function useSummaries(names: ReadonlySet<string> | undefined): {
  readonly operations: readonly OperationSummary[] | undefined;
  readonly problem: string | undefined;
} {
  const [operations, setOperations] = useState<readonly OperationSummary[] | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    listOperations().then(
      (list) => {
        setOperations(list);
        setProblem(undefined);
      },
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, [names]);
  return { operations, problem };
}

function List({
  operations,
  typed,
  name,
}: {
  readonly operations: readonly OperationSummary[];
  readonly typed: string;
  readonly name: string;
}): VNode {
  const groups = groupsOf(operations, typed);
  const recent = recentOperations().flatMap((one) => operations.find((known) => known.name === one) ?? []);
  if (groups.length === 0) return html`<${Empty}>No operation has these words.<//>` as VNode;
  const last = typed.trim() === '' && recent.length > 0 ? [{ title: 'Used last', operations: recent }] : [];
  return html`<div class="groups" role="region" aria-label="List of operations" tabindex="0">${[
    ...last,
    ...groups,
  ].map(
    (group) => html`<h2 key=${group.title}>${group.title}</h2>
      <ul>${group.operations.map(
        (
          one,
        ) => html`<li key=${one.name}><a href=${pageAddress('operations', one.name)} aria-current=${one.name === name ? 'true' : undefined}>
          <strong>${one.name}</strong><span class="note">${one.summary}</span></a></li>`,
      )}</ul>`,
  )}</div>` as VNode;
}
