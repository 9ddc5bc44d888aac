import type { EmulatorOptions } from '../../src/emulator/compose/emulator-options.ts';
import type { Fixture } from '../../src/emulator/compose/fixture/fixture.ts';
import { ALL_PERMISSIONS, bitsOf, type Permission } from '../../src/emulator/kernel/permission-bits.ts';
import { ids } from './emulator-world.ts';
import { patch } from './patched.ts';
import { APP, type PlatformAnswer, type TestPlatform, testPlatform } from './platform.ts';

/** A platform on which the bot of the built-in application is a member of River Bank. */
export interface BotPlatform extends TestPlatform {
  /** Asks as the bot: `POST /channels/1/messages` with a body of JSON. */
  readonly ask: (
    what: string,
    json?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<PlatformAnswer>;
  /** Asks, and holds the state before and after against each other: it has to be the same. */
  readonly refused: (what: string, json?: unknown) => Promise<PlatformAnswer>;
  /** Gives the role of everybody these permissions and the bot no others. */
  readonly only: (...permissions: readonly Permission[]) => Promise<void>;
}

/** The fixture in which it is one, by its intents: each platform begins with the same. */
const members = new Map<string, Fixture>();

function withMember(fixture: Fixture, intents: readonly string[]): Fixture {
  const key = intents.join();
  const known = members.get(key);
  if (known !== undefined) return known;
  const { fixture: made } = patch(fixture, {
    applications: [{ id: APP, intents, bot_user: APP }],
    users: [{ id: APP, username: 'harbour', bot: true }],
    guilds: [{ id: ids.riverBank, members: [{ user: APP }] }],
  });
  members.set(key, made);
  return made;
}

/** Starts it; `change` patches the built-in fixture. The bot may everything and has the privileged intents, unless told. */
export async function botPlatform(
  change: object = {},
  intents: readonly string[] = ['message_content'],
  options: Partial<EmulatorOptions> = {},
): Promise<BotPlatform> {
  const platform = await testPlatform((fixture) => {
    const joined = withMember(fixture, intents);
    return Object.keys(change).length === 0 ? joined : patch(joined, change).fixture;
  }, options);
  const role = (permissions: string) =>
    platform.emulator.apply({ guilds: [{ id: ids.riverBank, roles: [{ id: ids.riverBank, permissions }] }] });
  await role(String(ALL_PERMISSIONS));
  const ask: BotPlatform['ask'] = (what, json, headers = {}) =>
    platform.call(what, {
      headers: { ...platform.bot(), ...headers },
      ...(json === undefined ? {} : { json }),
    });
  return {
    ...platform,
    ask,
    refused: async (what, json) => {
      const before = platform.emulator.exportState();
      const answer = await ask(what, json);
      if (platform.emulator.exportState() !== before) throw new Error(`${what} changed the state`);
      return answer;
    },
    only: async (...permissions) => {
      await role(String(bitsOf(...permissions)));
    },
  };
}
