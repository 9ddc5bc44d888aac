import * as z from 'zod';
import { type Call, defineCommand } from '../command.ts';
import { ErrorCode } from '../error-code.ts';
import { RpcError } from '../errors.ts';
import { open } from '../scope.ts';

function requireEvent(call: Call): string {
  if (call.evt !== undefined) return call.evt;
  throw new RpcError(ErrorCode.INVALID_EVENT, 'evt: the name of an event is required');
}

/** Subscribes to an event. The event determines the scope and the arguments. */
export const SUBSCRIBE = defineCommand({
  scope: open,
  errors: [4003, 4004, 4005, 4006],
  args: () => z.looseObject({}),
  result: () => z.object({ evt: z.string() }),
  handle(call, args) {
    const evt = requireEvent(call);
    const later = call.subscribe(evt, args);
    return later === undefined ? { evt } : later.then(() => ({ evt }));
  },
});

/** Ends a subscription made with the same arguments; a missing subscription is no error. */
export const UNSUBSCRIBE = defineCommand({
  scope: open,
  errors: [4004],
  args: () => z.looseObject({}),
  result: () => z.object({ evt: z.string() }),
  handle(call, args) {
    const evt = requireEvent(call);
    const later = call.unsubscribe(evt, args);
    return later === undefined ? { evt } : later.then(() => ({ evt }));
  },
});
