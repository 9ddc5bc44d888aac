import { probeEndpoint } from '../../../platform/endpoint/probe.ts';

/** Result of a PING at the endpoint. */
export type Pong =
  | { readonly kind: 'pong'; readonly ms: number }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Whether the bridge answers its apps. It sends a PING without a handshake: a handshake would be one more app in the
 * journal and the console, and a chat client behind the bridge would refuse an unknown application.
 */
export async function tryPing(path: string): Promise<Pong> {
  const started = performance.now();
  const probe = await probeEndpoint(path);
  if (probe.kind !== 'live') return { kind: 'failed', reason: 'nobody listens' };
  switch (probe.reason) {
    case 'pong':
      return { kind: 'pong', ms: Math.round(performance.now() - started) };
    case 'closed':
      return { kind: 'failed', reason: 'the bridge hung up' };
    case 'talked':
      return {
        kind: 'failed',
        reason: 'PING was answered with something else: the bridge may be at capacity',
      };
    default:
      return { kind: 'failed', reason: `no answer (${probe.reason})` };
  }
}
