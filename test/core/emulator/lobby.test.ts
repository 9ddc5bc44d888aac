import { describe, expect, it } from 'vitest';
import { emulatorBridge } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';

const secret = 'under the pier';

describe('lobby operations', () => {
  it('let a simulated user join, send, edit and delete a message, and leave', async () => {
    const bridge = await emulatorBridge();
    const app = 'Harbour Example';
    const lobby = (await bridge.run('lobby.join', { app, secret, user: 'heron' })) as { id: string };
    expect(lobby).toMatchObject({ application: ids.harbourExample, made_by: 'client' });
    // Whoever asks knows it, and an answer is easily printed.
    expect(JSON.stringify(lobby)).not.toContain(secret);
    expect(
      await bridge.run('lobby.join', { app: ids.harbourExample, secret, user: ids.otter }),
    ).toMatchObject({
      id: lobby.id,
    });
    const said = (await bridge.run('lobby.say', { lobby: lobby.id, user: 'otter', text: 'ebb' })) as {
      id: string;
    };
    expect(said).toMatchObject({
      lobby: lobby.id,
      author: ids.otter,
      content: 'ebb',
      edited_timestamp: null,
    });
    expect(await bridge.run('lobby.edit-message', { id: said.id, text: 'flood' })).toMatchObject({
      content: 'flood',
      edited_timestamp: expect.any(String),
    });
    expect(await bridge.run('lobby.delete-message', { id: said.id })).toEqual({ deleted: said.id });
    expect(await bridge.run('lobby.leave', { lobby: lobby.id, user: 'otter' })).toEqual({ left: ids.otter });
  });

  it.each([
    ['lobby.leave', { lobby: '5', user: 'otter' }, 'lobby: there is no lobby "5"'],
    ['lobby.say', { lobby: '5', user: 'otter', text: 'x' }, 'lobby: there is no lobby "5"'],
    ['lobby.say', { lobby: 'LOBBY', user: 'otter', text: 'x' }, 'user: otter is not in the lobby'],
    ['lobby.leave', { lobby: 'LOBBY', user: 'otter' }, 'user: otter is not in the lobby'],
    ['lobby.edit-message', { id: '5', text: 'x' }, 'there is no message "5" of a lobby'],
    ['lobby.delete-message', { id: '5' }, 'there is no message "5" of a lobby'],
    ['lobby.join', { app: 'Harbor', secret, user: 'otter' }, 'There is no application "Harbor"'],
    ['lobby.join', { app: 'Harbour Example', secret, user: 'nobody' }, 'there is no user "nobody"'],
    ['lobby.join', { app: 'Harbour Example', secret, user: '9' }, 'user: Missing Access'],
  ])('refuse %s with %o', async (operation, args, reason) => {
    const bridge = await emulatorBridge();
    // The account of another game.
    await bridge.run('emulator.apply', {
      patch: {
        users: [{ id: '9', username: 'stranger' }],
        external_identities: [
          { application: ids.lighthouse, provider: 'STEAM', external_user_id: '1', user: '9' },
        ],
      },
    });
    const { id } = (await bridge.run('lobby.join', { app: 'Harbour Example', secret, user: 'heron' })) as {
      id: string;
    };
    const asked = 'lobby' in args && args.lobby === 'LOBBY' ? { ...args, lobby: id } : args;
    await expect(async () => bridge.run(operation, asked)).rejects.toThrow(reason);
  });
});
