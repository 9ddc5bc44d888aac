import type { Socket } from 'node:net';
import { isRecord } from '../../../../src/conformance/schema.ts';
import type { Problem } from './behaviour.ts';
import { JOIN, Session, STREAMS, type Wire, type World } from './session.ts';

const MAX_LENGTH = 3 * 1024 * 1024;
const HIGH_WATER = 256 * 1024;
const MANY_FRAMES = 8;
const GAP_MS = 3;

/** Serves one connection of the framed transport. */
export class IpcPeer implements Wire {
  readonly kind = 'ipc';
  readonly #world: World;
  readonly #socket: Socket;
  readonly #deadline: NodeJS.Timeout | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #session: Session | undefined;
  #isOver = false;
  readonly #outbox: Buffer[] = [];
  #joins = false;
  /** The client has said that it parses every frame of a read. */
  #readsStreams = false;

  constructor(world: World, socket: Socket, deadlineMs: number) {
    this.#world = world;
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('drain', () => {
      socket.resume();
      world.memory.delete('stalled');
    });
    socket.on('error', () => socket.destroy());
    socket.on('end', () => this.#problem('half'));
    socket.on('close', () => {
      clearTimeout(this.#deadline);
      this.#session?.gone();
      this.#isOver = true;
      world.memory.delete('drip');
    });
    this.#deadline = setTimeout(() => this.#problem('deadline'), deadlineMs);
    if (this.#has('pings')) this.send(3, '1');
  }

  #has(trait: string): boolean {
    return this.#world.behaviour.traits.has(trait);
  }

  /** It has not shaken hands. */
  get isSilent(): boolean {
    return this.#session === undefined && !this.#isOver;
  }

  /** Its place goes to somebody else. */
  drop(): void {
    this.#isOver = true;
    this.#socket.destroy();
  }

  /** The server stops. */
  stop(): void {
    this.#problem('stop');
  }

  #problem(problem: Problem): void {
    if (this.#isOver) return;
    if (this.#session !== undefined) this.#session.problem(problem);
    else new Session(this.#world, this, '').problem(problem);
    if (this.#world.behaviour.problems[problem] !== 'ignore' && !this.#has('stays-open')) this.#isOver = true;
  }

  #onData(chunk: Buffer): void {
    const isWhole = chunk.byteLength >= 8 && chunk.byteLength === 8 + chunk.readUInt32LE(4);
    if (this.#has('whole-reads') && !isWhole) {
      this.#problem('not-json');
      return;
    }
    if (this.#has('first-of-read') && this.#bytes.byteLength === 0 && chunk.byteLength >= 8) {
      const end = 8 + chunk.readUInt32LE(4);
      this.#bytes = chunk.subarray(0, Math.min(end, chunk.byteLength));
    } else {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
    }
    if (this.#has('small-buffer') && this.#bytes.byteLength > 12 * 1024) {
      this.#problem('length');
      return;
    }
    this.#serve();
  }

  #serve(): void {
    const { memory } = this.#world;
    if (this.#has('one-at-a-time') && memory.has('drip') && !memory.has(`drip ${this.#id}`)) {
      setTimeout(() => this.#serve(), 20);
      return;
    }
    while (!this.#isOver && this.#bytes.byteLength >= 8) {
      const length = this.#bytes.readInt32LE(4);
      const opcode = this.#bytes.readInt32LE(0);
      if (length < 0) {
        this.#problem('negative-length');
        return;
      }
      if (length > MAX_LENGTH) {
        this.#problem('length');
        return;
      }
      if (opcode < 0 || opcode > 4) {
        this.#problem('opcode');
        return;
      }
      if (this.#bytes.byteLength < 8 + length) break;
      const body = this.#bytes.subarray(8, 8 + length);
      this.#bytes = this.#bytes.subarray(8 + length);
      this.#onFrame(opcode, body);
    }
    if (this.#bytes.byteLength > 0) memory.add('drip').add(`drip ${this.#id}`);
    else if (memory.delete(`drip ${this.#id}`)) memory.delete('drip');
  }

  readonly #id = Math.random().toString(36);

  #onFrame(opcode: number, body: Buffer): void {
    if (this.#has('mute') || (this.#has('stalls') && this.#world.memory.has('stalled'))) return;
    if (opcode === 0) this.#onHandshake(body);
    else if (opcode === 1) {
      if (this.#session !== undefined) this.#session.onMessage(body);
      else this.#problem('frame-first');
    } else if (opcode === 2) {
      if (this.#has('picky-close') && !/"code"/.test(body.toString())) return;
      this.#problem('close');
    } else if (opcode === 3) this.#onPing(body);
    else if (this.#has('answers-pong')) this.send(4, body);
  }

  #onPing(body: Buffer): void {
    if (this.#has('crash-on-ping') && this.#session === undefined) {
      this.#world.crash();
      return;
    }
    if (this.#has('no-early-ping') && this.#session === undefined) return;
    if (this.#has('no-large-ping') && body.byteLength > 1000) return;
    if (this.#has('ping-once') && this.#world.memory.has(`ping ${this.#id}`)) return;
    this.#world.memory.add(`ping ${this.#id}`);
    let value: unknown;
    try {
      value = JSON.parse(body.toString('utf8'));
    } catch {
      this.#problem('ping-not-json');
      return;
    }
    if (this.#has('ping-same-number')) {
      this.send(4, '1');
      return;
    }
    if (value === STREAMS && !this.#takesNotice()) return;
    this.send(4, this.#has('ping-reformatted') ? JSON.stringify(value) : body);
  }

  /** Takes the PING with the text of READY; false when it is not answered. */
  #takesNotice(): boolean {
    if (this.#has('no-notice')) return false;
    const isEarly = this.#session === undefined;
    if ((isEarly && this.#has('no-early-notice')) || (this.#readsStreams && this.#has('one-notice'))) {
      this.destroy();
      return false;
    }
    this.#readsStreams = !isEarly;
    return true;
  }

  #onHandshake(body: Buffer): void {
    if (this.#session !== undefined) {
      this.#problem('twice');
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(body.toString('utf8'));
    } catch {
      this.#problem('handshake-not-json');
      return;
    }
    if (!isRecord(value)) {
      this.#problem('handshake-not-object');
      return;
    }
    const { v, client_id: id } = value;
    const isNumber =
      v === 1 || (v === '1' && !this.#has('number-v')) || (v === undefined && !this.#has('v-required'));
    if (this.#has('crash-on-odd-v') && typeof v === 'object' && v !== null) {
      this.#world.crash();
      return;
    }
    if (!isNumber) {
      if (this.#has('silent-on-odd-v') && (v === null || typeof v === 'object')) return;
      if (this.#world.behaviour.problems.version === 'ignore') {
        this.#open(String(id));
        return;
      }
      this.#problem('version');
      return;
    }
    if (this.#has('strict-handshake') && Object.keys(value).length > 2) {
      this.#problem('version');
      return;
    }
    if (id === undefined || id === null || id === '') {
      this.#problem('client-id-missing');
      return;
    }
    if (typeof id !== 'string') {
      this.#problem('client-id-type');
      return;
    }
    if (!/^[1-9]\d{0,19}$/.test(id)) {
      if (this.#has('any-client-id')) {
        this.#open(id);
        return;
      }
      this.#problem('client-id-unknown');
      return;
    }
    if (this.#has('one-session') && this.#world.sessions.size > 0) {
      this.#problem('version');
      return;
    }
    const early = this.#has('answers-before-ready') && this.#bytes.byteLength > 0;
    this.#open(id, early ? 5 : 0);
  }

  #open(clientId: string, delayMs = 0): void {
    clearTimeout(this.#deadline);
    const session = new Session(this.#world, this, clientId);
    this.#session = session;
    if (delayMs > 0) setTimeout(() => session.welcome(), delayMs);
    else session.welcome();
  }

  send(opcode: number, body: string | Buffer): void {
    if (opcode === JOIN) {
      this.#joins = true;
      return;
    }
    const padding = this.#readsStreams && opcode === 1 && this.#has('padded-streams') ? ' ' : '';
    const bytes = Buffer.concat([Buffer.from(body), Buffer.from(padding)]);
    const header = Buffer.alloc(8);
    header.writeInt32LE(opcode, 0);
    header.writeInt32LE(this.#has('counts-characters') ? bytes.toString('utf8').length : bytes.byteLength, 4);
    if (this.#has('splits-writes')) {
      this.#socket.write(header);
      setTimeout(() => this.#socket.write(bytes), 5);
      return;
    }
    this.#outbox.push(Buffer.concat([header, bytes]));
    if (this.#outbox.length === 1) setImmediate(() => this.#flush());
  }

  /** One frame a write, some milliseconds apart, unless too many wait. */
  #flush(): void {
    if (this.#readsStreams && this.#has('reversed-streams')) this.#outbox.reverse();
    const isMany = this.#outbox.length > MANY_FRAMES || this.#joins || this.#readsStreams;
    this.#write(Buffer.concat(this.#outbox.splice(0, isMany ? this.#outbox.length : 1)));
    if (this.#outbox.length > 0) setTimeout(() => this.#flush(), GAP_MS);
  }

  #write(bytes: Buffer): void {
    if (this.#socket.destroyed || !this.#socket.writable) return;
    const isTaken = this.#socket.write(bytes);
    if (isTaken || this.#socket.writableLength <= HIGH_WATER) return;
    if (!this.#has('amplified')) this.#socket.pause();
    this.#world.memory.add('stalled');
  }

  end(): void {
    if (this.#has('stays-open')) return;
    this.#write(Buffer.concat(this.#outbox.splice(0)));
    this.#socket.end(() => this.#socket.destroy());
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
