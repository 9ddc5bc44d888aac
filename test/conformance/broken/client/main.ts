import { existsSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { isRecord } from '../../../../src/conformance/schema.ts';

/**
 * The reference client as a program, after the contract of the suite. Its only argument is the name of
 * a fault; then it does that wrong.
 */
const fault = process.argv[2] ?? '';
const has = (...names: string[]) => names.includes(fault);
const { env } = process;
const task = env['CONFORMANCE_TASK'] ?? 'idle';
const clientId = env['CONFORMANCE_CLIENT_ID'] ?? '';
const count = Number(env['CONFORMANCE_COUNT'] ?? 1);

/** Where nothing is to be proved wrong, a busy machine must not look like a fault. */
const SLOWNESS = Number(env['REFERENCE_SLOWNESS'] ?? 1);
const HANDSHAKE_MS = 850 * SLOWNESS;
const REQUEST_MS = 450 * SLOWNESS;
const RETRY_MS = has('storms') ? 5 : 100;
const MAX_FRAME = 4 * 1024 * 1024;
const STREAMS = 'footbridge reads streams';

function tell(saw: string, more: Record<string, unknown> = {}): void {
  process.stdout.write(`${JSON.stringify({ saw, ...more })}\n`);
}

function folders(): string[] {
  const names = ['XDG_RUNTIME_DIR', 'TMPDIR', 'TMP', 'TEMP'];
  const set = names
    .map((name) => env[name])
    .filter((one) => one !== undefined && (one !== '' || has('takes-empty')));
  const [base = '/nowhere'] = has('xdg-only') ? [env['XDG_RUNTIME_DIR']] : set;
  const nested = has('no-sandboxes') ? [] : ['app/com.discordapp.Discord', 'snap.discord'];
  return [base, ...nested.map((one) => join(base, one))];
}

function candidates(): string[] {
  const indexes = Array.from({ length: has('index-0-only') ? 1 : 10 }, (_, index) => index);
  const paths = folders().flatMap((folder) => indexes.map((index) => join(folder, `discord-ipc-${index}`)));
  if (!has('any-prefix')) return paths;
  const [folder = '/'] = folders();
  return readdirSync(folder)
    .filter((name) => name.startsWith('discord-ipc-'))
    .reverse()
    .map((name) => join(folder, name));
}

function dial(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    if (!existsSync(path)) return resolve(undefined);
    const socket = connect({ path });
    socket.once('connect', () => resolve(socket));
    return socket.once('error', () => resolve(undefined));
  });
}

async function find(): Promise<Socket | undefined> {
  for (const path of candidates()) {
    const socket = await dial(path);
    if (socket !== undefined) return socket;
    if (has('first-only', 'any-prefix') && existsSync(path)) return undefined;
  }
  return undefined;
}

function frame(opcode: number, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  const header = Buffer.alloc(8);
  header.writeInt32LE(opcode, 0);
  header.writeInt32LE(has('counts-characters') ? bytes.toString('utf8').length : bytes.byteLength, 4);
  return Buffer.concat([header, bytes]);
}

interface Open {
  readonly number: number;
  readonly timer: NodeJS.Timeout | undefined;
}

/** One connection, from the first byte to the last. */
class Link {
  readonly #socket: Socket;
  readonly #open = new Map<string, Open>();
  readonly #deadline: NodeJS.Timeout;
  #bytes: Buffer = Buffer.alloc(0);
  #nonce = 0;
  #isReady = false;
  #isOver = false;
  readonly #done: () => void;

  constructor(socket: Socket, done: () => void) {
    this.#socket = socket;
    this.#done = done;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', () => this.#over());
    socket.on('close', () => this.#over());
    this.#deadline = setTimeout(() => this.#onDeadline(), has('impatient') ? 50 : HANDSHAKE_MS);
    const id = has('number-id') ? Number(clientId) : clientId;
    const version = has('v2') ? 2 : has('text-v') ? '1' : 1;
    const handshake = frame(has('no-handshake') ? 1 : 0, JSON.stringify({ v: version, client_id: id }));
    if (has('splits')) {
      socket.write(handshake.subarray(0, 8));
      setTimeout(() => socket.write(handshake.subarray(8)), 120);
    } else {
      socket.write(handshake);
    }
    if (has('hasty')) this.#work();
  }

  #onDeadline(): void {
    if (this.#isReady || has('waits-for-ready', 'waits-for-bytes')) return;
    tell('failed', { message: 'no READY' });
    if (has('ready-anyway')) tell('ready');
    this.#socket.destroy();
  }

  #onData(chunk: Buffer): void {
    this.#bytes = has('one-frame-a-read') ? chunk : Buffer.concat([this.#bytes, chunk]);
    while (this.#bytes.byteLength >= 8) {
      const opcode = this.#bytes.readInt32LE(0);
      const length = this.#bytes.readInt32LE(4);
      if ((length < 0 || length > MAX_FRAME) && !has('waits-for-bytes')) return void this.#socket.destroy();
      if (length > 16 * 1024 && has('small-buffer')) return void this.#socket.destroy();
      if (has('waits-for-bytes') && (length < 0 || length > MAX_FRAME)) return;
      if (this.#bytes.byteLength < 8 + length) return;
      const body = this.#bytes.subarray(8, 8 + length);
      this.#bytes = has('one-frame-a-read') ? Buffer.alloc(0) : this.#bytes.subarray(8 + length);
      this.#onFrame(opcode, body);
    }
  }

  #onFrame(opcode: number, body: Buffer): void {
    if (opcode === 3) {
      if (has('notice-not-echoed') && body.toString().includes(STREAMS)) return;
      if (has('ping-is-answer')) this.#settle([...this.#open.keys()][0] ?? '', 'reply', null);
      if (has('pong-1')) this.#socket.write(frame(4, '1'));
      else if (!has('no-pong')) this.#socket.write(frame(4, body));
      if (has('no-early-ping') && !this.#isReady) this.#socket.destroy();
      return;
    }
    if (opcode === 4) {
      if (has('pong-is-answer')) this.#settle([...this.#open.keys()][0] ?? '', 'error', null);
      return;
    }
    if (opcode === 2) {
      this.#onClose(body);
      return;
    }
    if (opcode > 4 && has('dies-of-bad-frames')) process.exit(3);
    let message: unknown;
    try {
      message = JSON.parse(body.toString('utf8'));
    } catch {
      if (has('dies-of-bad-frames')) process.exit(3);
      if (has('stops-at-bad-frames')) this.#open.clear();
      return;
    }
    if (!isRecord(message)) {
      if (has('dies-of-bad-frames')) process.exit(3);
      return;
    }
    this.#onMessage(message);
  }

  #onClose(body: Buffer): void {
    if (!this.#isReady && has('silent-refusal')) {
      clearTimeout(this.#deadline);
      this.#isOver = true;
      return;
    }
    const code = /"code":(\d+)/.exec(body.toString('utf8'))?.[1];
    if (!has('silent-close')) tell(this.#isReady ? 'closed' : 'failed', { code: Number(code) });
    if (has('stays-after-close', 'silent-close')) {
      this.#isOver = true;
      return;
    }
    this.#socket.end();
  }

  #onMessage(message: Record<string, unknown>): void {
    const { cmd, evt, nonce, data } = message;
    if (has('knows-keys-only') && (Object.keys(message).length > 4 || (isRecord(data) && 'theme' in data))) {
      return void this.#socket.destroy();
    }
    if (cmd === 'DISPATCH' && evt === 'READY') {
      this.#onReady(data);
      return;
    }
    if (evt === 'ERROR' && has('general-error-ends') && nonce === null) return void this.#socket.destroy();
    if (cmd === 'DISPATCH' && evt !== 'ERROR') {
      if (has('dies-of-events')) process.exit(3);
      if (evt === env['CONFORMANCE_EVENT'] && !has('deaf')) tell('event', { evt, data });
      return;
    }
    const key = has('first-in-first-out') ? ([...this.#open.keys()][0] ?? '') : String(nonce);
    if (evt === 'ERROR') {
      if (has('error-without-code')) this.#settle(key, 'error', { code: 0, message: '' });
      else if (has('trusts-error-data'))
        this.#settle(key, 'error', { ...(data as object), code: (data as { code: number }).code });
      else this.#settle(key, 'error', data);
      if (has('one-error-for-all')) for (const other of this.#open.keys()) this.#settle(other, 'error', data);
      return;
    }
    if (has('any-answer') && !this.#open.has(key))
      this.#settle([...this.#open.keys()][0] ?? '', 'reply', data);
    this.#settle(key, 'reply', data);
  }

  #onReady(data: unknown): void {
    const user = isRecord(data) && isRecord(data['user']) ? data['user'] : undefined;
    if (user === undefined && has('needs-user')) return;
    if (typeof user?.['avatar'] !== 'string' && has('needs-avatar')) return;
    clearTimeout(this.#deadline);
    this.#isReady = true;
    const offer =
      isRecord(data) && isRecord(data['footbridge']) ? data['footbridge']['stream_ping'] : undefined;
    const notices = (offer === STREAMS || has('notice-unasked') ? 1 : 0) + (has('notice-twice') ? 1 : 0);
    for (let n = 0; n < notices; n++) this.#socket.write(frame(3, JSON.stringify(STREAMS)));
    tell('ready', { user: user?.['id'] });
    if (!has('hasty')) this.#work();
  }

  #settle(nonce: string, saw: 'reply' | 'error', data: unknown): void {
    const open = this.#open.get(nonce);
    if (open === undefined) return;
    this.#open.delete(nonce);
    clearTimeout(open.timer);
    const size = JSON.stringify(data ?? null).length;
    const shown = size > 1000 ? { length: size } : data;
    const error = isRecord(data) ? { code: data['code'], message: data['message'] } : {};
    tell(saw, saw === 'reply' ? { number: open.number, data: shown } : { number: open.number, ...error });
  }

  #request(cmd: string, args: unknown, evt?: string): void {
    const number = ++this.#nonce;
    const nonce = has('same-nonce') ? 'same' : `n${number}`;
    const timer = has('waits-for-answers', 'waits-for-bytes', 'forgets-requests')
      ? undefined
      : setTimeout(() => this.#settle(nonce, 'error', { code: 0, message: 'no answer' }), REQUEST_MS);
    this.#open.set(nonce, { number, timer });
    const sent = has('no-nonce') ? undefined : nonce;
    this.#socket.write(frame(1, JSON.stringify({ cmd, args, evt, nonce: sent })));
  }

  #work(): void {
    const activity = { details: env['CONFORMANCE_DETAILS'] };
    const pid = has('no-pid') ? undefined : process.pid;
    if (task === 'presence' || task === 'clear') {
      if (!has('forgets') || firstTime) this.#request('SET_ACTIVITY', { pid, activity });
    }
    if (task === 'clear')
      setTimeout(
        () =>
          this.#request(
            'SET_ACTIVITY',
            has('clears-with-object') ? { pid, activity: {} } : { pid, activity: null },
          ),
        50,
      );
    if (task === 'subscribe' && (!has('forgets') || firstTime)) {
      const name = env['CONFORMANCE_EVENT'];
      this.#request(
        'SUBSCRIBE',
        has('event-in-args') ? { evt: name } : {},
        has('event-in-args') ? undefined : name,
      );
    }
    if (task === 'request') {
      for (let index = 0; index < count; index++) this.#request(env['CONFORMANCE_CMD'] ?? '', {});
    }
    if (task === 'leave') this.#leave();
    firstTime = false;
  }

  #leave(): void {
    if (has('never-leaves')) return;
    if (!has('leaves-rudely')) this.#socket.write(frame(2, '{}'));
    this.#socket.end();
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#deadline);
    if (!has('silent-end')) tell(this.#isReady ? 'closed' : 'failed');
    if (!has('forgets-requests')) {
      for (const nonce of [...this.#open.keys()])
        this.#settle(nonce, 'error', { code: 0, message: 'connection lost' });
    }
    this.#done();
  }
}

let firstTime = true;

async function run(): Promise<void> {
  for (;;) {
    const socket = await find();
    if (socket !== undefined) await new Promise<void>((resolve) => void new Link(socket, resolve));
    else if (firstTime && !has('silent-absence')) tell('failed', { message: 'nobody listens' });
    if (has('never-returns', 'silent-end')) break;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

setInterval(() => undefined, 60_000);
await run();
