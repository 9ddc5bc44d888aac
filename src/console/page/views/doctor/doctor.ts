import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { doctor } from '../../data/api.ts';
import { Action, messageOf } from '../../parts/controls.ts';

interface Check {
  readonly id: string;
  readonly verdict: string;
  readonly evidence: readonly string[];
  readonly fix: string | null;
}

/** Report of `footbridge doctor` on this machine. */
export function Doctor(): VNode {
  const [checks, setChecks] = useState<readonly Check[] | undefined>(undefined);
  /** Why the first report failed; the button shows the failure of a later one. */
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const refresh = async (): Promise<void> => {
    setChecks(((await doctor()) as { readonly checks: readonly Check[] }).checks);
    setProblem(undefined);
  };
  useEffect(() => void refresh().catch((error: unknown) => setProblem(messageOf(error))), []);
  return html`<section aria-labelledby="doctor-title">
    <h1 id="doctor-title">Doctor</h1>
    <p><${Action} isLocal action=${refresh}>Look again<//></p>
    ${problem === undefined ? null : html`<p class="problem" role="alert">${problem}</p>`}
    <div aria-live="polite" aria-busy=${checks === undefined && problem === undefined}>
    ${checks === undefined && problem === undefined ? html`<p>Looking…</p>` : null}
    <ul class="checks">${(checks ?? []).map(
      ({ id, verdict, evidence, fix }) => html`<li key=${id} class=${`check ${verdict.replaceAll(' ', '-')}`}>
        <span class="verdict">${verdict}</span> <strong>${id}</strong>
        <ul>${evidence.map((text) => html`<li key=${text}>${text}</li>`)}${fix === null ? null : html`<li class="fix">To do: ${fix}</li>`}</ul>
      </li>`,
    )}</ul></div>
  </section>` as VNode;
}
