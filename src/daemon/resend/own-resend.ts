import type { AdminCaller } from '../../base/admin-operation.ts';
import type { Transport } from '../../transport/transport.ts';
import { innerTransport } from '../inner-transport.ts';
import type { ResendArgs, Resent } from './resend-args.ts';
import type { Resender, ResendNeeds } from './resender.ts';

/** Sends recorded traffic again. Its code is loaded by the first call. */
export interface OwnResend {
  /** Where sessions that are opened by hand enter the server. It listens nowhere. */
  readonly transport: Transport;
  /** Throws `LocalError` with the reason of a refusal. */
  send(args: ResendArgs, caller: AdminCaller): Promise<Resent>;
  close(): void;
}

/** Prepares sending again for a bridge; nothing is opened. */
export function ownResend(options: ResendNeeds): OwnResend {
  const inner = innerTransport();
  let resender: Resender | undefined;
  return {
    transport: inner.transport,
    async send(args, caller) {
      const { Resender: Loaded } = await import('./resender.ts');
      resender ??= new Loaded({ ...options, accept: (connection) => inner.enter(connection) });
      return resender.send(args, caller);
    },
    close() {
      resender?.close();
    },
  };
}
