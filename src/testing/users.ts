import { LocalError } from '../base/local-error.ts';
import { quoted } from './options.ts';

/** A user of the emulator. */
export interface TestUser {
  readonly id: string;
  readonly username: string;
  readonly global_name: string | null;
  readonly bot: boolean;
}

/** Users of the emulator; the methods accept an id or a user name. */
export interface TestUsers {
  list(): Promise<readonly TestUser[]>;
  /** Creates a user and returns it; without an id the emulator chooses a free one. */
  create(user: {
    readonly username: string;
    readonly id?: string;
    readonly global_name?: string;
  }): Promise<TestUser>;
  /** Removes a user, with all dependent rows. */
  remove(user: string): Promise<void>;
  /** Logs in another user at the client; every session is closed. */
  switch(user: string): Promise<void>;
  /** Logs in a user; by default the user who was logged in last. */
  logIn(user?: string): Promise<void>;
  /** Logs out the user. Every session is closed, and no session opens until a user logs in. */
  logOut(): Promise<void>;
}

type CallOperation = (operation: string, args?: object) => Promise<unknown>;

/** Creates the API for users on top of the bridge's operations. */
export function testUsers(callOperation: CallOperation): TestUsers {
  const list = async (): Promise<readonly TestUser[]> =>
    ((await callOperation('emulator.show')) as { readonly users: readonly TestUser[] }).users;
  const find = async (name: unknown): Promise<TestUser> => {
    const found = (await list()).find(({ id, username }) => id === name || username === name);
    if (found !== undefined) return found;
    throw new LocalError(
      'FOOTBRIDGE_ARGUMENTS',
      `users: there is no user ${quoted(name)}; give an id or a user name.`,
    );
  };
  return {
    list,
    create: async (user) => {
      const id = user.id ?? nextId(await list());
      await callOperation('emulator.apply', { patch: { users: [{ ...user, id }] } });
      return find(id);
    },
    remove: async (user) => {
      const { id } = await find(user);
      await callOperation('emulator.apply', { patch: { users: [{ id, remove: true }] } });
    },
    switch: async (user) => void (await callOperation('user.switch', { id: (await find(user)).id })),
    logIn: async (user) =>
      void (await callOperation('user.log-in', user === undefined ? {} : { id: (await find(user)).id })),
    logOut: async () => void (await callOperation('user.log-out')),
  };
}

/** The largest id plus one. */
function nextId(users: readonly TestUser[]): string {
  const largestId = users.reduce((highest, { id }) => (BigInt(id) > highest ? BigInt(id) : highest), 0n);
  return String(largestId + 1n);
}
