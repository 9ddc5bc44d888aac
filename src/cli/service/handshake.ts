import { probeEndpoint } from '../../../platform/probe.ts';
import { type ClientError, createClient } from '../../client/index.ts';

/** What a PING meets at the endpoint right now. */
export type Pong =
  | { readonly kind: 'pong'; readonly ms: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** What an app meets at the endpoint right now. */
export type Handshake =
  | { readonly kind: 'ready'; readonly ms: number }
  /** The bridge answered, and with a refusal: its core takes nobody, or not this application. */
  | { readonly kind: 'refused'; readonly ms: number; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** An application that the emulator's fixture knows; another core may refuse it, which is an answer too. */
const CLIENT_ID = '300000000000000001';
const PATIENCE_MS = 8000;

/** Does what an app does first. */
export async function tryHandshake(path: string): Promise<Handshake> {
  const started = performance.now();
  const ms = (): number => Math.round(performance.now() - started);
  const client = createClient({
    clientId: CLIENT_ID,
    paths: [path],
    // Nothing secret is sent; root may look after the bridge of a user.
    anyOwner: true,
    reconnect: false,
    connectTimeoutMs: PATIENCE_MS,
  });
  try {
    await client.connect();
    return { kind: 'ready', ms: ms() };
  } catch (error) {
    const [attempt] = (error as ClientError).attempts ?? [];
    const { reason, code, message = reason } = attempt ?? { reason: String(error) };
    return code === undefined
      ? { kind: 'failed', reason: reason === 'silent' ? `no READY within ${PATIENCE_MS / 1000} s` : message }
      : { kind: 'refused', ms: ms(), reason: `${code} ${message}` };
  } finally {
    void client.close();
  }
}

/** Whether the bridge speaks at all. */
export async function tryPing(path: string): Promise<Pong> {
  const started = performance.now();
  const probe = await probeEndpoint(path);
  if (probe.kind === 'live' && probe.reason === 'pong')
    return { kind: 'pong', ms: Math.round(performance.now() - started) };
  return { kind: 'failed', reason: probe.kind === 'live' ? `no answer (${probe.reason})` : 'nobody listens' };
}
