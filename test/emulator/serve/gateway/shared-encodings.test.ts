import { expect, it } from 'vitest';
import { memoryStore } from '../../../../src/emulator/accounts/oauth2/storage/store.ts';
import { type GatewayListener, INTENTS } from '../../../../src/emulator/api/dispatch.ts';
import type { Committed } from '../../../../src/emulator/api/world.ts';
import type { ApplicationRecord } from '../../../../src/emulator/applications/records.ts';
import { dispatches } from '../../../../src/emulator/compose/dispatches.ts';
import { derivationsOf } from '../../../../src/emulator/serve/gateway/hub.ts';
import { Random } from '../../../fuzz/random.ts';
import { AskedPlatform } from '../../../helpers/asked-platform.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { justListening } from '../../../helpers/just-listening.ts';
import { BOTS, fixtureOfBots, RandomChanges } from '../../../helpers/random-changes.ts';

const ALL_INTENTS = Object.values(INTENTS).reduce((all, bit) => all | bit);

const SEED = 7;

/** Sessions of each bot and of a person, which differ in what changes a payload. */
function listenersOf({ parts: { world } }: AskedPlatform): GatewayListener[] {
  const withoutContent = ALL_INTENTS & ~INTENTS.MESSAGE_CONTENT;
  return [...BOTS, ids.river].flatMap((user) =>
    [
      { intents: ALL_INTENTS, capabilities: 0, base: 'http://127.0.0.1/api' },
      { intents: withoutContent, capabilities: 1 << 15, base: 'http://127.0.0.1/api' },
      { intents: ALL_INTENTS, capabilities: 0, base: 'http://127.0.0.1:1/api' },
    ].map((one) => ({
      ...one,
      kind: user === ids.river ? ('bearer' as const) : ('bot' as const),
      // As in a session, the record as it is now.
      get application() {
        const id = user === ids.river ? ids.lighthouse : user;
        return world.tables.applications.get(id) as ApplicationRecord;
      },
      user,
      scopes: user === ids.river ? ['sdk.social_layer'] : [],
      shard: [0, 1] as const,
    })),
  );
}

it('10,000 events that listeners share the encoding of are what each of them alone would be sent', async () => {
  const platform = await AskedPlatform.of(fixtureOfBots(), memoryStore());
  const { world, platform: services } = platform.parts;
  const changes = new RandomChanges(platform, new Random(SEED));
  const derivations = derivationsOf(dispatches, services);
  /** What each of them may be sent of the last change, encoded for itself. */
  const alone = new Map(listenersOf(platform).map((listener) => [listener, new Set<string>()]));
  const follow = (commit: Committed): void => {
    for (const { event, tables, derived } of derivations) {
      if (derived === undefined || !commit.touches(...tables)) continue;
      for (const { data, canSee } of derived(commit)) {
        for (const [listener, texts] of alone) {
          if (canSee(listener)) texts.add(`${event} ${JSON.stringify(data(listener))}`);
        }
      }
    }
  };
  world.subscribeCommits(follow, justListening);
  const sent: [GatewayListener, string][] = [];
  for (const listener of alone.keys()) {
    const take = (event: string, data: string) => sent.push([listener, `${event} ${data}`]);
    await services.gateway.listen({ listener, take });
  }
  let compared = 0;
  while (compared < 10_000) {
    await changes.change();
    for (const [listener, text] of sent) {
      const isOwn = alone.get(listener)?.has(text) === true;
      expect(isOwn, `seed ${SEED}: ${listener.user} was sent ${text}`).toBe(true);
    }
    compared += sent.splice(0).length;
    for (const texts of alone.values()) texts.clear();
  }
}, 60_000);
