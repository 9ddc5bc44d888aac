import { isDeepStrictEqual } from 'node:util';
import type { ClientCore, CoreCall, CoreHandlers, CoreSession } from '../../src/core/core.ts';
import { commands } from '../../src/protocol/registry.ts';

/**
 * A core whose answers are vouched for, held to it: each has to have its declared shape, and nothing that checking it
 * would change. One that breaks its word throws inside, and the test that asked gets ERROR 1000.
 */
export function checkedCore(core: ClientCore): ClientCore {
  return {
    ...core,
    open(peer) {
      const session = core.open(peer);
      return session instanceof Promise ? session.then(checkedSession) : checkedSession(session);
    },
  };
}

function checkedSession(session: CoreSession): CoreSession {
  if (session.trusted !== true) throw new Error('this core vouches for nothing');
  let last: { readonly of: CoreHandlers; readonly handlers: CoreHandlers } | undefined;
  return {
    ready: session.ready,
    trusted: true,
    get handlers() {
      // Each time: it may see to the session, such as whether its token is still good.
      const of = session.handlers;
      if (last?.of !== of) {
        const entries = Object.entries(of).map(([cmd, handler]) => [cmd, checked(cmd, handler as Handler)]);
        last = { of, handlers: Object.fromEntries(entries) as CoreHandlers };
      }
      return last.handlers;
    },
    subscribe: (event, args, call) => session.subscribe?.(event, args, call) ?? [],
    unsubscribe: (event, args) => session.unsubscribe?.(event, args),
    garbled: () => session.garbled?.(),
    refusal: (error) => session.refusal?.(error),
    close: () => session.close(),
  };
}

type Handler = (args: unknown, call: CoreCall) => unknown;

function checked(cmd: string, handler: Handler): Handler {
  return (args, call) => {
    const result = handler(args, call);
    return result instanceof Promise ? result.then((value) => held(cmd, value)) : held(cmd, result);
  };
}

function held(cmd: string, result: unknown): unknown {
  const { success, data, error } = commands[cmd as keyof typeof commands].result().safeParse(result ?? null);
  if (!success) throw new Error(`${cmd} answers what it does not declare: ${error.message}`);
  if (!isDeepStrictEqual(asSent(data), asSent(result ?? null))) {
    throw new Error(`${cmd} answers more than it declares: ${JSON.stringify(result)}`);
  }
  return result;
}

const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
