import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../../../src/emulator/api/api-error.ts';
import type { Emulator } from '../../../src/emulator/compose/emulator.ts';
import { emulatorWorld, ids } from '../../helpers/emulator-world.ts';
import { rounds } from '../../helpers/rounds.ts';

const PROVISIONAL = 1 << 23;

type Step = (emulator: Emulator) => unknown;

const app = fc.constantFrom(ids.harbourExample, ids.lighthouse);
const person = fc.constantFrom<string>(ids.river, ids.heron, ids.otter);
const external = fc.constantFrom('1', '2', '3').map((externalUserId) => ({
  provider: 'STEAM',
  externalUserId,
  name: null,
}));

/** Everything that can happen to identities, also where it is refused. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(app, external).map(
    ([a, e]): Step =>
      ({ external: x }) =>
        x.provisional(a, e),
  ),
  fc.tuple(app, external, person).map(
    ([a, e, p]): Step =>
      ({ external: x }) =>
        x.link(a, e, p),
  ),
  fc.tuple(app, person).map(
    ([a, p]): Step =>
      ({ oauth2 }) =>
        oauth2.revokeAll(p, a),
  ),
  person.map(
    (p): Step =>
      (emulator) =>
        emulator.apply({ account_bans: [{ user: p }] }),
  ),
  person.map(
    (p): Step =>
      ({ bans }) =>
        bans.isBanned(p) ? bans.unban(p) : undefined,
  ),
  fc.constant<Step>(({ clock }) => clock.advance(400)),
  fc.constant<Step>((emulator) => emulator.importState(emulator.exportState(), 'x')),
);

function check({ tables }: Emulator): void {
  const identities = [...tables.external_identities];
  const linked = new Set<string>();
  for (const { application, user, status, source } of identities) {
    const flags = tables.users.get(user)?.flags ?? -1;
    // A linked one stands for a person, every other for an account of the game alone.
    const isLinked = status === 'linked' || status === 'merging';
    expect((flags & PROVISIONAL) !== 0).toBe(!isLinked);
    if (isLinked) {
      expect(linked.has(`${application} ${user}`)).toBe(false);
      linked.add(`${application} ${user}`);
    }
    if (status === 'merging') expect((tables.users.get(source ?? '')?.flags ?? 0) & PROVISIONAL).not.toBe(0);
    if (status === 'restricted') expect(tables.account_bans.has(source ?? '')).toBe(true);
  }
  // No account of a game is left behind without an identity, and none has two.
  const held = identities.flatMap(({ user, status, source }) =>
    status === 'merging' ? [source ?? ''] : status === 'linked' ? [] : [user],
  );
  const made = [...tables.users].filter(({ flags }) => (flags & PROVISIONAL) !== 0).map(({ id }) => id);
  expect(held.sort()).toEqual(made.sort());
}

it('after any steps, each identity has one account, and no account of a game remains without one [4.3]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async (steps) => {
      const { emulator, clock } = await emulatorWorld();
      for (const one of steps) {
        try {
          await one(emulator);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          expect(error.status).toBeLessThan(500);
        }
        check(emulator);
      }
      clock.advance(10_000);
      check(emulator);
      expect([...emulator.tables.external_identities].map(({ status }) => status)).not.toContain('merging');
      await emulator.close();
    }),
    { numRuns: rounds({ few: 40, many: 3000 }) },
  );
}, 60_000);
