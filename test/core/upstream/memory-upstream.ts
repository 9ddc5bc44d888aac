import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import { Opcode } from '../../../src/wire/codes.ts';
import { fakeReady } from '../../helpers/fake-core.ts';
import { frameBytes } from '../../helpers/frame-bytes.ts';
import { onFrames } from '../../helpers/framed-socket.ts';

/** Stops the clock of the process for the test, and takes the jitter away. */
export function stopClock(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
  // Half-way between the least and the greatest jitter: none.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

/** Lets the streams deliver what was written. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

/** Lets time pass. */
export async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
}

type Body = Readonly<Record<string, unknown>>;

/** The upstream's end of a connection. */
export class Upstream {
  readonly stream: Duplex;
  /** Frames so far, with their bodies parsed. */
  readonly frames: [opcode: number, body: unknown][] = [];
  ended = false;
  readonly ours: Duplex;

  constructor() {
    [this.ours, this.stream] = duplexPair();
    this.stream
      .on('error', () => {})
      .on('end', () => {
        this.ended = true;
      });
    onFrames(this.stream, ({ opcode, body }) => {
      this.frames.push([opcode, JSON.parse(Buffer.from(body).toString())]);
    });
  }

  get requests(): Body[] {
    return this.frames.filter(([opcode]) => opcode === Opcode.FRAME).map(([, body]) => body as Body);
  }

  send(body: Body | string, opcode: number = Opcode.FRAME): Promise<void> {
    this.stream.write(frameBytes(opcode, typeof body === 'string' ? body : JSON.stringify(body)));
    return settle();
  }

  ready(data: unknown = fakeReady): Promise<void> {
    return this.send({ cmd: 'DISPATCH', evt: 'READY', nonce: null, data });
  }

  answer(data: unknown, evt: string | null = null, index = -1): Promise<void> {
    const { cmd, nonce } = this.requests.at(index) ?? {};
    return this.send({ cmd, nonce, evt, data });
  }

  close(code: unknown, message: unknown = 'bye'): Promise<void> {
    this.stream.end(frameBytes(Opcode.CLOSE, JSON.stringify({ code, message })));
    return settle();
  }
}
