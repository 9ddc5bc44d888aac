import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { amount } from '../../../../base/text.ts';
import { bugreport, doctor } from '../../data/api.ts';
import type { Feed } from '../../data/feed.ts';
import { Action, messageOf, Problem } from '../../parts/controls.ts';
import { Command } from '../../parts/copy.ts';
import { saveFile } from '../../parts/save-file.ts';
import { Empty, Loading } from '../../parts/states.ts';
import { commandsIn } from './remedy.ts';

interface Check {
  readonly id: string;
  readonly verdict: string;
  readonly evidence: readonly string[];
  readonly fix: string | null;
}

const BAD = ['failed', 'warning'];

/** Report of `footbridge doctor` about the running bridge: failures first, the rest folded. */
export function Doctor({ feed }: { readonly feed: Feed }): VNode {
  const [checks, setChecks] = useState<readonly Check[] | undefined>(undefined);
  /** Why the first report failed; the button shows the failure of a later one. */
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const refresh = async (): Promise<void> => {
    setChecks(((await doctor()) as { readonly checks: readonly Check[] }).checks);
    setProblem(undefined);
  };
  useEffect(() => void refresh().catch((error: unknown) => setProblem(messageOf(error))), []);
  const isLooking = checks === undefined && problem === undefined;
  return html`<section aria-labelledby="doctor-title">
    <h1 id="doctor-title">Doctor</h1>
    <${About} feed=${feed} />
    <div class="bar"><${Action} isLocal action=${refresh}>Look again<//>
      <${Action} isLocal action=${download}>Download a bug report<//>
      <span class="note">Without secrets, and never sent anywhere. Read it before you pass it on.</span></div>
    <${Problem} text=${problem} />
    <div aria-live="polite" aria-busy=${isLooking}>
    ${isLooking ? html`<${Loading} />` : null}
    ${checks === undefined ? null : html`<${Report} checks=${checks} />`}</div>
  </section>` as VNode;
}

async function download(): Promise<void> {
  const { name, text } = await bugreport();
  saveFile(name, text, 'text/plain');
}

/** Which bridge the report is about. */
function About({ feed: { link, status } }: { readonly feed: Feed }): VNode {
  if (link.kind !== 'up' || status === undefined)
    return html`<p>No bridge answers; the report is about this machine.</p>` as VNode;
  const { pid, version, places } = status;
  return html`<p>About the bridge that runs: version ${version}, pid ${pid}.</p>
    ${
      places === undefined
        ? null
        : html`<dl class="places"><dt>Configuration</dt><dd><code>${places.config ?? 'none'}</code></dd>
      <dt>Data</dt><dd><code>${places.data ?? 'in memory only'}</code></dd>
      <dt>Log</dt><dd><code>${places.log ?? 'no file'}</code></dd></dl>`
    }` as VNode;
}

function Report({ checks }: { readonly checks: readonly Check[] }): VNode {
  const of = (...verdicts: readonly string[]) => checks.filter(({ verdict }) => verdicts.includes(verdict));
  const wrong = BAD.flatMap((verdict) => of(verdict));
  const fine = of('ok');
  const others = checks.filter(({ verdict }) => verdict !== 'ok' && !BAD.includes(verdict));
  return html`${wrong.length === 0 ? html`<${Empty} icon="check" title="Nothing is wrong."><p>An app that does not connect all the same: <code>footbridge help troubleshooting</code></p><//>` : html`<h2>${countText(of('failed').length, of('warning').length)}</h2>`}
    <${Checks} checks=${wrong} />
    ${fine.length === 0 ? null : html`<details><summary>${fine.length} fine</summary><${Checks} checks=${fine} /></details>`}
    ${others.length === 0 ? null : html`<details><summary>${others.length} not applicable here</summary><${Checks} checks=${others} /></details>`}` as VNode;
}

function countText(failed: number, warnings: number): string {
  const parts = [failed === 0 ? '' : `${failed} failed`, warnings === 0 ? '' : amount(warnings, 'warning')];
  return parts.filter(Boolean).join(', ');
}

function Checks({ checks }: { readonly checks: readonly Check[] }): VNode {
  return html`<ul class="checks">${checks.map(
    ({ id, verdict, evidence, fix }) => html`<li key=${id} class=${`check ${verdict.replaceAll(' ', '-')}`}>
      <span class="verdict">${verdict}</span> <strong>${id}</strong>
      <ul>${evidence.map((text) => html`<li key=${text}>${text}</li>`)}</ul>
      ${fix?.split('\n').map((line) => html`<${Remedy} key=${line} text=${line} />`)}
    </li>`,
  )}</ul>` as VNode;
}

/** A remedy, with its command lines to copy; one that is nothing but a command is not repeated. */
function Remedy({ text }: { readonly text: string }): VNode {
  const commands = commandsIn(text);
  return html`<div class="fix">${commands[0] === text ? null : html`<p>To do: ${text}</p>`}
    ${commands.map((command) => html`<${Command} key=${command} text=${command} />`)}</div>` as VNode;
}
