import type { AppSession } from '../../src/core/emulator/app-session.ts';
import { Feed } from '../../src/core/emulator/feed.ts';
import type { Emulator } from '../../src/emulator/compose/emulator.ts';
import type { Fixture } from '../../src/emulator/compose/fixture/fixture.ts';
import type { EventName } from '../../src/protocol/registry.ts';
import { type EmulatorWorld, emulatorWorld, ids } from './emulator-world.ts';

/** An event as an app got it; `CLOSE` is the end of every session. */
export interface Sent {
  readonly event: EventName | 'CLOSE';
  readonly data?: unknown;
}

/** What one app gets that is subscribed to everything. */
export interface RpcFeed {
  /** What was sent since the last call. */
  readonly sent: () => Sent[];
  /** The names of the same. */
  readonly types: () => string[];
}

/** Feeds one app of Harbour Example, from now on, whatever scopes and arguments its subscriptions would have to have. */
export function rpcFeed(emulator: Emulator, isWanted: (event: EventName) => boolean = () => true): RpcFeed {
  const all: Sent[] = [];
  const app = { id: 'app', clientId: ids.harbourExample, canSeePremium: false } as AppSession;
  new Feed({
    emulator,
    sessions: new Map([[app.id, app]]),
    subscribers: { has: isWanted, of: () => [app], naming: () => [app] },
    linter: { warnings: [] },
    host: {
      emit: (event, data, { clientId } = {}) => {
        if (clientId === undefined || clientId === app.clientId) all.push({ event, data });
        return 1;
      },
      closeSessions: () => all.push({ event: 'CLOSE' }),
      log() {},
    },
  }).start();
  const sent = () => all.splice(0);
  return { sent, types: () => sent().map(({ event }) => event) };
}

/** An emulator on a clock that stands still, and the app that it feeds. */
export async function rpcWorld(change: unknown = {}, fixture?: Fixture): Promise<EmulatorWorld & RpcFeed> {
  const world = await emulatorWorld(change, fixture);
  return { ...world, ...rpcFeed(world.emulator) };
}
