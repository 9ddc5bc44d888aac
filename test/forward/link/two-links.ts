import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Link, type LinkOptions, type OnSession } from '../../../src/forward/link/link.ts';
import type { Peer } from '../../../src/forward/peer.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

/** Two ends of one connection through the system, as a link has them. */
export async function connectedSockets(): Promise<readonly [Socket, Socket]> {
  const path = join(temporaryFolder(), 'link');
  const server = createServer({ allowHalfOpen: true });
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  const accepted = new Promise<Socket>((resolve) => void server.once('connection', resolve));
  const one = connect({ path, allowHalfOpen: true });
  const other = await accepted;
  onTestFinished(() => {
    one.destroy();
    other.destroy();
    server.close();
  });
  return [one, other];
}

/** Two links that are each other's other end. */
export interface TwoLinks {
  readonly near: Link;
  readonly far: Link;
  readonly sockets: readonly [Socket, Socket];
  /** Faults with which the links have ended. */
  readonly ends: { near?: string | undefined; far?: string | undefined };
}

/** Connects a link that opens sessions with one that gives them to `onSession`. */
export async function twoLinks(onSession: OnSession, more: Partial<LinkOptions> = {}): Promise<TwoLinks> {
  const sockets = await connectedSockets();
  const [one, other] = sockets;
  const ends: { near?: string | undefined; far?: string | undefined } = {};
  const early = new Uint8Array(0);
  const near = new Link({
    input: one,
    output: one,
    early,
    opens: 'this end',
    onEnd: (fault) => {
      ends.near = fault ?? 'ended';
    },
    ...more,
  });
  const far = new Link({
    input: other,
    output: other,
    early,
    opens: 'the other end',
    onSession,
    onEnd: (fault) => {
      ends.far = fault ?? 'ended';
    },
  });
  near.start();
  far.start();
  onTestFinished(() => {
    near.end(undefined);
    far.end(undefined);
  });
  return { near, far, sockets, ends };
}

/** End of a session that records what it gets. */
export class RecordingPeer implements Peer {
  readonly chunks: Buffer[] = [];
  hasEnded = false;
  aborted: string | undefined;
  resumed = 0;
  /** False: the session is asked to stop after each chunk. */
  reads: boolean;
  partner: Peer | undefined;

  constructor({ reads = true }: { readonly reads?: boolean } = {}) {
    this.reads = reads;
  }

  join(partner: Peer): void {
    this.partner = partner;
  }
  send(bytes: Uint8Array): boolean {
    this.chunks.push(Buffer.from(bytes));
    return this.reads;
  }
  end(): void {
    this.hasEnded = true;
  }
  abort(reason: string): void {
    this.aborted = reason;
  }
  resume(): void {
    this.resumed += 1;
  }
  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }
}
