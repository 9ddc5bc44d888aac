import { createServer } from 'node:net';
import { claimEndpoint } from '../../platform/endpoint/claim.ts';
import type { EndpointIndex } from '../../platform/endpoint/endpoints.ts';
import { withTightUmask } from '../../platform/files/umask.ts';
import { loadNative } from '../../platform/native/native.ts';
import { isLocalError } from '../../src/base/local-error.ts';

/** What the test asks of a racing process. */
export type RacerOrder =
  | {
      readonly kind: 'claim';
      readonly folder: string;
      readonly index: 'auto' | EndpointIndex;
      readonly native: boolean;
    }
  | { readonly kind: 'release' };

/** What it answers. */
export type RacerAnswer =
  | { readonly kind: 'ready' | 'released' }
  | { readonly kind: 'serving'; readonly index: number }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

const native = await loadNative();
let release = () => {};

process.on('message', (order: RacerOrder) => {
  if (order.kind === 'claim') {
    serve(order).then(answer, (error: unknown) => {
      const code = isLocalError(error) ? error.code : 'not one of ours';
      answer({ kind: 'refused', code, message: String(error) });
    });
    return;
  }
  release();
  release = () => {};
  answer({ kind: 'released' });
});
answer({ kind: 'ready' });

async function serve(order: Extract<RacerOrder, { kind: 'claim' }>): Promise<RacerAnswer> {
  const claim = await claimEndpoint({
    os: process.platform === 'darwin' ? 'darwin' : 'linux',
    folder: order.folder,
    index: order.index,
    native: order.native ? native : { kind: 'absent', reason: 'left out by the test' },
    probeTimeoutMs: 500,
  });
  const server = createServer((socket) => socket.on('error', () => {}).end(String(process.pid)));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    withTightUmask(() => server.listen(claim.bindPath, resolve));
  });
  claim.publish();
  release = () => {
    claim.release();
    server.close();
  };
  return { kind: 'serving', index: claim.index };
}

function answer(message: RacerAnswer): void {
  process.send?.(message);
}
