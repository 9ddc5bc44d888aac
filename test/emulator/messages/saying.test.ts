import { expect, it } from 'vitest';
import { emulatorWorld, ids } from '../../helpers/emulator-world.ts';

const THREAD = '9';

/** A world with a thread of #general in this state, in which the otter and the owner River write. */
async function threadWorld(thread: object) {
  const world = await emulatorWorld();
  const channel = { id: THREAD, name: 'tide', type: 'public_thread', parent: ids.general, owner: 'otter' };
  await world.emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ ...channel, thread }] }] });
  const { channels } = world.emulator.tables;
  return { ...world, state: () => channels.get(THREAD)?.thread };
}

/** Denies the otter a permission by an overwrite of #general. */
const denied = (permission: string) => ({
  guilds: [
    {
      id: ids.riverBank,
      channels: [{ id: ids.general, user_overwrites: [{ user: 'otter', deny: [permission] }] }],
    },
  ],
});

it('a message of a user unarchives a thread, and sets archive_timestamp', async () => {
  const { emulator, clock, state } = await threadWorld({ archived: true });
  clock.advance(1000);
  emulator.messages.send(THREAD, 'awake', ids.otter);
  expect(state()).toMatchObject({ archived: false });
  expect(Date.parse(state()?.archive_timestamp ?? '')).toBe(clock.now());
});

it('a locked thread accepts messages only from users with MANAGE_THREADS', async () => {
  const { emulator, state } = await threadWorld({ locked: true, archived: true });
  expect(() => emulator.messages.send(THREAD, 'x', ids.otter)).toThrow(/locked/);
  expect(state()).toMatchObject({ archived: true });
  emulator.messages.send(THREAD, 'x', ids.river);
  expect(state()).toMatchObject({ archived: false, locked: true });
});

it('a message in an archived thread cannot be edited', async () => {
  const { emulator, state } = await threadWorld({});
  const { id } = emulator.messages.send(THREAD, 'x', ids.otter);
  await emulator.apply({
    guilds: [{ id: ids.riverBank, channels: [{ id: THREAD, thread: { ...state(), archived: true } }] }],
  });
  expect(() => emulator.messages.edit(id, 'y')).toThrow(/archived/);
  expect(emulator.messages.remove(id).content).toBe('x');
});

it.each([
  ['SEND_MESSAGES', ids.general],
  ['SEND_MESSAGES_IN_THREADS', THREAD],
])('a user cannot write without %s', async (permission, channel) => {
  const { emulator } = await threadWorld({});
  await emulator.apply(denied(permission));
  const before = emulator.exportState();
  expect(() => emulator.messages.send(channel, 'x', ids.otter)).toThrow(`no permission ${permission} `);
  expect(emulator.exportState()).toBe(before);
  expect(emulator.messages.send(channel, 'x', ids.river).content).toBe('x');
});

it('a user cannot write in a channel that they cannot see', async () => {
  const { emulator } = await emulatorWorld(denied('VIEW_CHANNEL'));
  expect(() => emulator.messages.send(ids.general, 'x', ids.otter)).toThrow(/cannot see/);
});

it('a message of a user mentions everyone only with the permission', async () => {
  const { emulator } = await emulatorWorld(denied('MENTION_EVERYONE'));
  expect(emulator.messages.send(ids.general, '@everyone', ids.otter).mentions?.everyone).toBe(false);
});
