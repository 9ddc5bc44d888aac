import { isDeepStrictEqual } from 'node:util';
import { dispatches } from '../../src/emulator/compose/dispatches.ts';
import type { GatewayConnection, GatewayPayload } from './gateway-connection.ts';

/** What a client was told since it was asked the last time. What does not fit the declared shape of its event is an error. */
export async function told(client: GatewayConnection): Promise<readonly GatewayPayload[]> {
  const events = (await client.rest()).filter(({ op }) => op === 0);
  for (const { t, d } of events) expectDeclared(t, d);
  return events;
}

/** Throws where no declaration of the event has this shape; some events are told of two things, each with a shape of its own. */
export function expectDeclared(name: string | null, data: unknown): void {
  const shapes = dispatches.filter(({ event }) => event === name).map(({ shape }) => shape);
  // What a shape does not know is dropped.
  if (!shapes.some((shape) => isDeepStrictEqual(shape.safeParse(data).data, data))) {
    throw new Error(`${name} is not as declared: ${JSON.stringify(data).slice(0, 500)}`);
  }
}

/** The names of what it was told. */
export async function names(client: GatewayConnection): Promise<readonly (string | null)[]> {
  return (await told(client)).map(({ t }) => t);
}
