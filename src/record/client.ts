import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connectLocally } from '../../platform/endpoint/connect-locally.ts';
import { printExact } from '../base/exact-json.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { textWithoutSecrets } from '../journal/without-secrets.ts';
import type { Opcode } from '../wire/codes.ts';
import { FrameDecoder } from '../wire/decoder.ts';
import { encodeFrame, MAX_FRAME_BYTES } from '../wire/frame.ts';
import { type Mismatch, payloadDifferences } from './compare.ts';
import { LiveSecrets } from './live-secrets.ts';
import {
  nameOf,
  objectOf,
  type Script,
  type Step,
  scriptsIn,
  valueIn,
  withoutNotices,
  withoutOffer,
} from './script.ts';
import { sendRequest } from './send-request.ts';
import { SharedDeadline } from './shared-deadline.ts';

/** Endpoint of the server, and the time limit for each of its answers (`timeoutMs`, in ms). */
export interface ClientOptions {
  readonly endpoint: string;
  /** Base address of the server's HTTP API; when it is undefined, the replay skips the HTTP requests of the record. */
  readonly api: string | undefined;
  readonly timing: boolean;
  readonly timeoutMs: number;
}

/**
 * Replays the apps of a record against a server in their recorded order, and returns differences in the server's
 * answers. Rejects with the operating system's error when the endpoint cannot be reached.
 */
export async function playClient(
  record: readonly JournalEntry[],
  options: ClientOptions,
): Promise<readonly Mismatch[]> {
  const mismatches: Mismatch[] = [];
  const entries = withoutNotices(record);
  const secrets = new LiveSecrets();
  const deadline = new SharedDeadline(options.timeoutMs);
  const scripts = new Map<string, { readonly script: Script; at: number; app: ReplayedApp | undefined }>();
  const all = scriptsIn(entries);
  const sessions = entries.flatMap((entry) =>
    entry.kind === 'connect' && entry.over !== 'gateway' ? [entry.session] : [],
  );
  for (const [index, session] of sessions.entries()) {
    const script = all[index];
    if (script !== undefined) scripts.set(session, { script, at: 0, app: undefined });
  }
  try {
    for (const entry of entries) {
      if (entry.kind === 'http') {
        mismatches.push(...(await playExchange(entry, options.api, { secrets, deadline })));
        continue;
      }
      const replayed =
        'session' in entry && entry.session !== undefined ? scripts.get(entry.session) : undefined;
      if (replayed === undefined) continue;
      if (entry.kind === 'connect') replayed.app = await ReplayedApp.connect(options, replayed.script.number);
      if (entry.kind === 'end') replayed.app?.leave();
      if (entry.kind !== 'frame' && entry.kind !== 'close') continue;
      const step = replayed.script.steps[replayed.at];
      replayed.at += 1;
      if (step === undefined || replayed.app === undefined) continue;
      if (step.direction === 'in' && options.timing && step.afterMs > 1) await delay(step.afterMs);
      if (step.direction === 'in') replayed.app.send(step, secrets);
      else mismatches.push(...(await replayed.app.receive(step, { secrets, deadline })));
    }
  } finally {
    for (const { app } of scripts.values()) app?.leave();
  }
  return mismatches;
}

/** State that all connections and requests share. */
interface Playing {
  readonly secrets: LiveSecrets;
  readonly deadline: SharedDeadline;
}

async function playExchange(
  { method, path, status, request, response }: Extract<JournalEntry, { readonly kind: 'http' }>,
  api: string | undefined,
  { secrets, deadline }: Playing,
): Promise<readonly Mismatch[]> {
  if (api === undefined) return [];
  const was = { status, body: valueIn(response.body ?? '') };
  const mismatch = (differences: Mismatch['differences']): readonly Mismatch[] =>
    differences.length === 0 ? [] : [{ what: `HTTP ${method} ${path}`, differences }];
  // A path without a leading slash could change the host of the address, which would then receive this server's tokens.
  if (!path.startsWith('/')) return mismatch([{ at: 'path', was: path, is: undefined }]);
  const type = request.headers['content-type'] ?? '';
  const fields = secrets.filled(valueIn(request.body ?? ''));
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const body = request.body === undefined ? undefined : isForm ? formOf(fields) : printExact(fields);
  const credentials = secrets.authorization(request.headers['authorization']);
  const headers = {
    ...(body === undefined ? {} : { 'content-type': type }),
    ...(credentials === undefined ? {} : { authorization: credentials }),
  };
  const address = new URL(`${new URL(api).origin}${path}`);
  const answer = await sendRequest(address, { method, headers, body }, deadline.ms);
  if (answer === undefined) {
    deadline.inVain();
    return mismatch([{ at: '', was, is: undefined }]);
  }
  deadline.answered();
  secrets.learn(valueIn(answer.text));
  const is = { status: answer.status, body: valueIn(textWithoutSecrets(answer.text)) };
  return mismatch(payloadDifferences(was, is));
}

function formOf(fields: unknown): string {
  return String(
    new URLSearchParams(
      Object.entries(objectOf(fields)).map(([name, value]) => [name, String(value)] as [string, string]),
    ),
  );
}

class ReplayedApp {
  readonly #socket: Socket;
  readonly #number: number;
  readonly #decoder = new FrameDecoder(MAX_FRAME_BYTES);
  readonly #received: { readonly opcode: number; readonly payload: unknown }[] = [];
  #resume = (): void => {};
  #isOver = false;

  private constructor(socket: Socket, number: number) {
    this.#socket = socket;
    this.#number = number;
    socket.on('data', (chunk: Uint8Array) => this.#read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isOver = true;
      this.#resume();
    });
  }

  static async connect({ endpoint, timeoutMs }: ClientOptions, number: number): Promise<ReplayedApp> {
    return new ReplayedApp(await connectLocally(endpoint, AbortSignal.timeout(timeoutMs)), number);
  }

  send({ opcode, payload }: Step, secrets: LiveSecrets): void {
    const body = printExact(secrets.filled(payload));
    if (this.#socket.writable) this.#socket.write(encodeFrame(opcode as Opcode, body).bytes);
  }

  /** Waits for the server's messages up to this step. */
  async receive(step: Step, { secrets, deadline }: Playing): Promise<readonly Mismatch[]> {
    const until = performance.now() + deadline.ms;
    const isWanted = (one: { readonly opcode: number; readonly payload: unknown }): boolean =>
      one.opcode === step.opcode &&
      nameOf(one) === nameOf(step) &&
      objectOf(one.payload)['nonce'] === objectOf(step.payload)['nonce'];
    for (;;) {
      const index = this.#received.findIndex(isWanted);
      const [found] = index === -1 ? [] : this.#received.splice(index, 1);
      if (found !== undefined) {
        deadline.answered();
        secrets.learn(found.payload);
        const received = withoutOffer(valueIn(textWithoutSecrets(printExact(found.payload))));
        return this.#mismatch(step, payloadDifferences(step.payload, received));
      }
      const left = until - performance.now();
      if (left <= 0 || this.#isOver) {
        if (left <= 0) deadline.inVain();
        return this.#mismatch(step, [{ at: '', was: step.payload, is: undefined }]);
      }
      await this.#something(left);
    }
  }

  leave(): void {
    this.#socket.destroy();
  }

  async #something(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #read(chunk: Uint8Array): void {
    try {
      this.#decoder.append(chunk);
      for (let frame = this.#decoder.take(); frame !== undefined; frame = this.#decoder.take()) {
        this.#received.push({ opcode: frame.opcode, payload: valueIn(new TextDecoder().decode(frame.body)) });
      }
    } catch {
      this.#socket.destroy();
    }
    this.#resume();
  }

  #mismatch(step: Step, found: Mismatch['differences']): readonly Mismatch[] {
    if (found.length === 0) return [];
    return [{ what: `connection ${this.#number}: ${nameOf(step)} from the server`, differences: found }];
  }
}
