import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { JournalEntry } from '../../../../../journal/entry.ts';
import type { Exchange } from '../../../../../journal/exchange.ts';
import { call } from '../../../data/api.ts';
import { Action, formValues, Problem, useAct, useOffer } from '../../../parts/controls.ts';
import { Icon } from '../../../parts/icon.ts';

type Edits = Omit<Parameters<typeof call<'traffic.resend'>>[1] & object, 'seq'>;

/** The entry of a row that is sent again; undefined where nothing of the kind is. */
export function resendableOf({ request }: Exchange): JournalEntry | undefined {
  const isSent =
    request?.kind === 'frame' ||
    request?.kind === 'http' ||
    request?.kind === 'webhook' ||
    request?.kind === 'gateway';
  return isSent ? request : undefined;
}

/** Whether the entry has a text that can be edited. */
export function isEditable(entry: JournalEntry): boolean {
  return entry.kind === 'http' || (entry.kind === 'frame' && entry.opcode === 1);
}

/** Sends an entry again; resolves once the new entry is recorded. */
async function resend(entry: JournalEntry, edits: Edits, sent: (seq: number) => void): Promise<void> {
  const { seq } = await call('traffic.resend', { seq: entry.seq, ...edits });
  if (seq !== null) sent(seq);
}

/** Button that sends an entry again as it was. */
export function ResendButton({
  entry,
  sent,
  never,
}: {
  readonly entry: JournalEntry;
  readonly sent: (seq: number) => void;
  /** Why it cannot be sent again. */
  readonly never: string | undefined;
}): VNode {
  return html`<${Action} waits=${never !== undefined} action=${() => resend(entry, {}, sent)}><${Icon} name="send" /> Resend<//>` as VNode;
}

/** Form that edits an entry and sends it. */
export function EditForm({
  entry,
  why,
  sent,
  close,
}: {
  readonly entry: JournalEntry;
  /** Why it was refused as it is. */
  readonly why: string | undefined;
  readonly sent: (seq: number) => void;
  readonly close: () => void;
}): VNode {
  const [before] = useState(() => fieldsOf(entry));
  const { isBusy, problem, run } = useAct();
  const offer = useOffer();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const values = formValues(event.currentTarget as HTMLFormElement);
    run(async () => {
      await resend(entry, editsOf(entry, before, values), sent);
      close();
    });
  };
  const isHttp = entry.kind === 'http';
  return html`<form class="edit" aria-label="Edit and resend" onSubmit=${submit}>
    ${why === undefined ? null : html`<p class="problem">Refused as it is: ${why}</p>`}
    ${
      isHttp
        ? html`<div class="bar"><label>Method <select name="method" defaultValue=${before['method']}>
          ${METHODS.map((one) => html`<option key=${one} selected=${one === before['method']}>${one}</option>`)}</select></label>
          <label class="wide">Path <input name="path" defaultValue=${before['path']} spellcheck=${false} /></label></div>
          <label class="wide">Body <textarea name="body" rows="10" spellcheck=${false} defaultValue=${before['body']}></textarea></label>`
        : html`<div class="bar"><label>Command <input name="command" defaultValue=${before['command']} spellcheck=${false} /></label>
          <label>Event <input name="event" defaultValue=${before['event']} spellcheck=${false} /></label></div>
          <label class="wide">Arguments <textarea name="args" rows="10" spellcheck=${false} defaultValue=${before['args']}></textarea></label>`
    }
    <p class="note">${
      isHttp
        ? 'It is sent to the emulator with the credentials of the application’s bot.'
        : 'It is sent in a new session of the same application, which is authorized for nothing.'
    } Write a value where the journal hides one.</p>
    <div class="buttons"><button type="submit" class="good" disabled=${isBusy} ...${offer}>Send</button>
      <button type="button" onClick=${close}>Cancel</button><${Problem} text=${problem} /></div>
  </form>` as VNode;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type Fields = Readonly<Record<string, string>>;

/** What the form shows of an entry. */
function fieldsOf(entry: JournalEntry): Fields {
  if (entry.kind === 'http') {
    const { method, path, request } = entry;
    return {
      method,
      path,
      body: request.body === undefined ? '' : pretty(parsed(request.body) ?? request.body),
    };
  }
  if (entry.kind !== 'frame') return {};
  const payload = parsed(entry.text);
  const { cmd, args, evt } = (typeof payload === 'object' && payload !== null ? payload : {}) as Readonly<
    Record<string, unknown>
  >;
  return { command: textOf(cmd), event: textOf(evt), args: pretty(args ?? {}) };
}

/** The members that were changed. Without a change the entry is sent as it was, also what the journal hides of it. */
function editsOf({ kind }: JournalEntry, before: Fields, now: Fields): Edits {
  const changed = (name: string): boolean => normal(now[name]) !== normal(before[name]);
  if (kind === 'http') {
    const method = METHODS.find((one) => one === now['method']);
    return {
      ...(changed('method') && method !== undefined ? { method } : {}),
      ...(changed('path') ? { path: (now['path'] ?? '').trim() } : {}),
      ...(changed('body') ? { body: now['body'] ?? '' } : {}),
    };
  }
  if (!['command', 'event', 'args'].some(changed)) return {};
  const args: unknown = JSON.parse(now['args']?.trim() || '{}');
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw new Error('Arguments: must be an object of JSON.');
  const event = (now['event'] ?? '').trim();
  return {
    command: (now['command'] ?? '').trim(),
    args: args as Record<string, unknown>,
    ...(event === '' ? {} : { event }),
  };
}

/** A form's text has other line ends than ours. */
function normal(text = ''): string {
  return text.replaceAll('\r\n', '\n');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function pretty(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
