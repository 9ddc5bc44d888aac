import { expect, it } from 'vitest';
import { memoryStore } from '../../../../src/emulator/accounts/oauth2/storage/store.ts';
import { StateRows } from '../../../../src/emulator/compose/fixture/fixture.ts';
import { IncomingFiles } from '../../../../src/emulator/files/incoming.ts';
import { Random } from '../../../fuzz/random.ts';
import { AskedPlatform, type Asker } from '../../../helpers/asked-platform.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { fixtureOfBots, RandomChanges } from '../../../helpers/random-changes.ts';

const SEED = 7;

type Storage = Parameters<typeof AskedPlatform.of>[1];

/** A platform of its own in the same state, which has answered nothing yet. */
async function fresh({ parts: { world } }: AskedPlatform, storage: Storage): Promise<AskedPlatform> {
  const rows = structuredClone(world.snapshot());
  const made = await AskedPlatform.of(new StateRows(rows, new IncomingFiles()), storage);
  // Snapshots leave these out.
  made.parts.world.transaction(({ interactions, ephemeral_messages }) => {
    for (const row of world.tables.interactions) interactions.insert(structuredClone(row));
    for (const row of world.tables.ephemeral_messages) ephemeral_messages.insert(structuredClone(row));
  });
  return made;
}

/** Answers of a platform to questions. */
async function answersOf(platform: AskedPlatform, asked: readonly (readonly [Asker, string])[]) {
  const answers: string[] = [];
  for (const [who, what] of asked) answers.push(`${who.name} ${what} ${await platform.ask(who, what)}`);
  return answers;
}

/** The person who is logged in, with a token. */
async function river({ parts: { oauth2 } }: AskedPlatform): Promise<Asker> {
  const asking = { clientId: ids.harbourExample, scopes: ['identify', 'guilds', 'guilds.members.read'] };
  const { signal } = new AbortController();
  const { code } = await oauth2.authorize({ ...asking, peer: { transport: 'ipc' }, signal });
  const client = { clientId: asking.clientId, clientSecret: 'any' };
  const token = await oauth2.exchangeCode(client, { code, issuer: 'http://127.0.0.1/api' });
  return { name: 'river', authorization: `Bearer ${token.access_token}` };
}

it('10,000 answers of a platform that has answered before are those of one that has not', async () => {
  const random = new Random(SEED);
  const storage = memoryStore();
  const platform = await AskedPlatform.of(fixtureOfBots(), storage);
  const me = await river(platform);
  const changes = new RandomChanges(platform, random);
  let compared = 0;
  while (compared < 10_000) {
    for (let more = 0; more < 4; more += 1) await changes.change();
    const questions = Array.from({ length: 39 }, () => [changes.asker(), changes.question()] as const);
    const own = random.pick(['', '/guilds', `/guilds/${ids.riverBank}/member`]);
    const asked = [...questions, [me, `GET /users/@me${own}`] as const];
    const expected = await answersOf(await fresh(platform, storage), asked);
    expect(await answersOf(platform, asked), `seed ${SEED}`).toEqual(expected);
    compared += asked.length;
  }
  // Each kind of change was made, so none is refused by mistake.
  expect([...changes.counts].filter(([, count]) => count === 0)).toEqual([]);
}, 300_000);
