import { LocalError } from '../../../platform/local-error.ts';
import { probeEndpoint } from '../../../platform/probe.ts';
import { connectTo, WireClient } from '../call/wire-client.ts';

/** What an app meets at the endpoint right now. */
export type Handshake =
  | { readonly kind: 'ready'; readonly ms: number }
  /** The bridge answered, and with a refusal: its core takes nobody, or not this application. */
  | { readonly kind: 'refused'; readonly ms: number; readonly reason: string }
  /** A PING was answered. Nothing more was tried: without a client every app is kept waiting and then refused. */
  | { readonly kind: 'pong'; readonly ms: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** An application that the emulator's fixture knows; another core may refuse it, which is an answer too. */
const CLIENT_ID = '300000000000000001';
const PATIENCE_MS = 8000;

/** Does what an app does first. */
export async function tryHandshake(path: string): Promise<Handshake> {
  const started = performance.now();
  const ms = (): number => Math.round(performance.now() - started);
  let client: WireClient | undefined;
  try {
    client = new WireClient(await connectTo(path));
    await client.handshake(CLIENT_ID, PATIENCE_MS);
    return { kind: 'ready', ms: ms() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const refused = error instanceof LocalError && /ended the session: \d/.test(reason);
    return refused ? { kind: 'refused', ms: ms(), reason } : { kind: 'failed', reason };
  } finally {
    client?.close();
  }
}

/** Whether the bridge speaks at all. */
export async function tryPing(path: string): Promise<Handshake> {
  const started = performance.now();
  const probe = await probeEndpoint(path);
  if (probe.kind === 'live' && probe.reason === 'pong')
    return { kind: 'pong', ms: Math.round(performance.now() - started) };
  return { kind: 'failed', reason: probe.kind === 'live' ? `no answer (${probe.reason})` : 'nobody listens' };
}
