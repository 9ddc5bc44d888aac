import type { PacedSink } from '../../src/transport/ipc/paced-writer.ts';

/** A peer that reads when the test says so, behind a kernel buffer of the size the test gives it. */
export interface ScriptedSink extends PacedSink {
  /** What each write held, as text. */
  readonly writes: string[];
  readonly overflows: number;
  /** Every backlog that was told. */
  readonly backlogs: number[];
  /** What was last told to be unread. */
  readonly unreadTold: number;
  /** Whether it was last told of a crowd. */
  readonly isCrowded: boolean;
  /** How often it was asked what is unread. */
  readonly asked: number;
  /** The peer reads everything there is. */
  read(): void;
}

export interface SinkScript {
  /** The peer reads each write at once. */
  readonly eager?: boolean;
  /** The system cannot tell what is unread. */
  readonly blind?: boolean;
  /** What the kernel takes before bytes wait in our own memory. */
  readonly kernelBytes?: number;
}

export function scriptedSink({
  eager = false,
  blind = false,
  kernelBytes = 1e9,
}: SinkScript = {}): ScriptedSink {
  const writes: string[] = [];
  const backlogs: number[] = [];
  let unread = 0;
  let unreadTold = 0;
  let buffered = 0;
  let overflows = 0;
  let asked = 0;
  let isCrowded = false;
  return {
    writes,
    backlogs,
    get isCrowded() {
      return isCrowded;
    },
    crowded(crowded) {
      isCrowded = crowded;
    },
    get unreadTold() {
      return unreadTold;
    },
    backlog(held, all) {
      backlogs.push(held);
      unreadTold = all;
    },
    get overflows() {
      return overflows;
    },
    get asked() {
      return asked;
    },
    write(bytes) {
      writes.push(new TextDecoder().decode(bytes));
      if (eager) return true;
      const taken = Math.min(bytes.byteLength, kernelBytes - unread);
      unread += taken;
      buffered += bytes.byteLength - taken;
      return buffered === 0;
    },
    unread() {
      asked += 1;
      return blind ? undefined : unread;
    },
    buffered: () => buffered,
    overflow() {
      overflows += 1;
    },
    read() {
      unread = Math.min(buffered, kernelBytes);
      buffered -= unread;
    },
  };
}
