import { isDeepStrictEqual } from 'node:util';
import { dispatches } from '../../src/emulator/dispatches.ts';
import type { GatewayConnection, GatewayPayload } from './gateway-connection.ts';

/** What a client was told since it was asked the last time. What does not fit the declared shape of its event is an error. */
export async function told(client: GatewayConnection): Promise<readonly GatewayPayload[]> {
  const events = (await client.rest()).filter(({ op }) => op === 0);
  for (const { t, d } of events) {
    const shapes = dispatches.filter(({ event }) => event === t).map(({ shape }) => shape);
    // What a shape does not know is dropped.
    if (!shapes.some((shape) => isDeepStrictEqual(shape.safeParse(d).data, d))) {
      throw new Error(`${t} is not as declared: ${JSON.stringify(d).slice(0, 500)}`);
    }
  }
  return events;
}

/** The names of what it was told. */
export async function names(client: GatewayConnection): Promise<readonly (string | null)[]> {
  return (await told(client)).map(({ t }) => t);
}
