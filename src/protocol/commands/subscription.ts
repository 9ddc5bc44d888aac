import * as z from 'zod/mini';
import { ErrorCode } from '../../wire/codes.ts';
import { type Call, defineCommand } from '../command.ts';
import { RpcError } from '../errors.ts';
import { open } from '../scope.ts';

function requireEvent(call: Call): string {
  if (call.evt !== undefined) return call.evt;
  throw new RpcError(ErrorCode.INVALID_EVENT, 'evt: the name of an event is required');
}

/** Asks for an event's dispatches. The scope is the event's own, and so are the arguments. */
export const SUBSCRIBE = defineCommand({
  scope: open,
  errors: [4003, 4004, 4005, 4006],
  args: () => z.looseObject({}),
  result: () => z.object({ evt: z.string() }),
  async handle(call, args) {
    const evt = requireEvent(call);
    await call.subscribe(evt, args);
    return { evt };
  },
});

/** Ends a subscription made with the same arguments; one that does not exist is no error. */
export const UNSUBSCRIBE = defineCommand({
  scope: open,
  errors: [4004],
  args: () => z.looseObject({}),
  result: () => z.object({ evt: z.string() }),
  async handle(call, args) {
    const evt = requireEvent(call);
    await call.unsubscribe(evt, args);
    return { evt };
  },
});
