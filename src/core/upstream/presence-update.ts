import { printExact } from '../../base/exact-json.ts';
import { isObject } from '../../protocol/json.ts';
import { Opcode } from '../../wire/codes.ts';
import { encodeFrame } from '../../wire/frame.ts';

/** One SET_ACTIVITY for several clients; it is encoded once. */
export class PresenceUpdate {
  readonly args: unknown;
  readonly nonce: string;
  #frame: Uint8Array | undefined;

  /** `nonce` is unique in the session. */
  constructor(args: unknown, nonce: string) {
    this.args = args;
    this.nonce = nonce;
  }

  /** Whether the arguments have an activity; without one they clear it. */
  get hasActivity(): boolean {
    return isObject(this.args) && this.args.activity !== undefined && this.args.activity !== null;
  }

  get frame(): Uint8Array {
    this.#frame ??= encodeFrame(
      Opcode.FRAME,
      printExact({ cmd: 'SET_ACTIVITY', args: this.args, nonce: this.nonce }),
    ).bytes;
    return this.#frame;
  }
}
