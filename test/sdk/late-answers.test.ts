import { describe, expect, it } from 'vitest';
import { ANA, heldService } from './held-service.ts';
import { sorted, until } from './played-game.ts';

const [BEN, LOBBY, FIRST, SECOND] = [9n, 5n, 77n, 78n];
const lobby = { id: String(LOBBY), members: [{ id: '1' }] };
const saidBy = (id: bigint, content: string) => ({
  id: String(id),
  channel_id: '8',
  content,
  author: { id: String(BEN), username: 'ben' },
});

/** A player to whom Ben has written twice. */
async function written() {
  const service = await heldService({
    atOnce: ({ what }) => (what.startsWith('DELETE ') ? [204] : undefined),
  });
  const peer = await service.play(ANA);
  peer.tell('MESSAGE_CREATE', saidBy(FIRST, 'first'));
  peer.tell('MESSAGE_CREATE', saidBy(SECOND, 'second'));
  await until(() => service.client.GetMessageHandle(SECOND) !== undefined);
  return { ...service, peer };
}

describe('a late answer to a join', () => {
  /** In the lobby, as the gateway says; the answer is still to come. */
  async function joining() {
    const service = await written();
    const joined = service.client.CreateOrJoinLobby('tide');
    const request = await service.asked('PUT /lobbies');
    service.peer.tell('LOBBY_CREATE', lobby);
    await until(() => service.client.GetLobbyIds().includes(LOBBY));
    const answer = async (): Promise<bigint> => {
      request.answer(lobby);
      return (await joined).lobbyId;
    };
    return { ...service, answer };
  }

  it('does not remove a member who joined meanwhile', async () => {
    const { client, peer, answer } = await joining();
    const members = (): bigint[] => sorted(client.GetLobbyHandle(LOBBY)?.LobbyMemberIds() ?? []);
    peer.tell('LOBBY_MEMBER_ADD', { lobby_id: lobby.id, member: { id: String(BEN) } });
    await until(() => members().length === 2);
    expect([await answer(), members()]).toEqual([LOBBY, [1n, BEN]]);
  });

  it.each(['LeaveLobby', 'the gateway'])(
    'does not restore a lobby that was left meanwhile, by %s',
    async (by) => {
      const { client, peer, answer } = await joining();
      if (by === 'LeaveLobby') await client.LeaveLobby(LOBBY);
      else peer.tell('LOBBY_DELETE', { id: lobby.id });
      await until(() => client.GetLobbyIds().length === 0);
      await answer();
      expect(client.GetLobbyIds()).toEqual([]);
    },
  );
});

describe('a late answer with messages', () => {
  it.each(['the gateway', 'DeleteUserMessage'])(
    'neither reverts a change nor restores a deleted message, by %s',
    async (by) => {
      const { client, peer, asked } = await written();
      const read = client.GetUserMessagesWithLimit(BEN, 10);
      const request = await asked(`GET /users/${BEN}/messages?limit=10`);
      peer.tell('MESSAGE_UPDATE', saidBy(FIRST, 'edited'));
      if (by === 'DeleteUserMessage') await client.DeleteUserMessage(BEN, SECOND);
      else peer.tell('MESSAGE_DELETE', { id: String(SECOND), channel_id: '8' });
      await until(
        () =>
          client.GetMessageHandle(FIRST)?.Content() === 'edited' &&
          client.GetMessageHandle(SECOND) === undefined,
      );
      request.answer([saidBy(SECOND, 'second'), saidBy(FIRST, 'first')]);
      const { messages } = await read;
      expect(messages.map((one) => one.Id())).toEqual([SECOND, FIRST]);
      const { summaries } = await client.GetUserMessageSummaries();
      expect([
        client.GetMessageHandle(FIRST)?.Content(),
        client.GetMessageHandle(SECOND)?.Content(),
        summaries.map((one) => one.LastMessageId()),
      ]).toEqual(['edited', undefined, [FIRST]]);
    },
  );
});

describe('the summary of the messages with a user', () => {
  it.each(['DeleteUserMessage', 'the gateway'])(
    'has the message before one that %s deletes, or is removed',
    async (by) => {
      const { client, peer } = await written();
      const last = async (): Promise<bigint[]> =>
        (await client.GetUserMessageSummaries()).summaries.map((one) => one.LastMessageId());
      const drop = async (id: bigint): Promise<void> => {
        if (by === 'DeleteUserMessage') await client.DeleteUserMessage(BEN, id);
        else peer.tell('MESSAGE_DELETE', { id: String(id), channel_id: '8' });
        await until(() => client.GetMessageHandle(id) === undefined);
      };
      expect(await last()).toEqual([SECOND]);
      await drop(SECOND);
      expect(await last()).toEqual([FIRST]);
      await drop(FIRST);
      expect(await last()).toEqual([]);
    },
  );
});

it('a late answer to LeaveLobby does not remove a lobby that the player rejoined meanwhile', async () => {
  const { client, play, asked } = await heldService();
  const peer = await play(ANA);
  const deleted: bigint[] = [];
  peer.tell('LOBBY_CREATE', lobby);
  await until(() => client.GetLobbyIds().includes(LOBBY));
  client.SetLobbyDeletedCallback((id) => deleted.push(id));
  const left = client.LeaveLobby(LOBBY);
  const request = await asked(`DELETE /lobbies/${LOBBY}/members/@me`);
  peer.tell('LOBBY_DELETE', { id: lobby.id });
  peer.tell('LOBBY_CREATE', lobby);
  await until(() => deleted.length === 1 && client.GetLobbyIds().length === 1);
  request.answer(undefined, 204);
  await left;
  expect([deleted, client.GetLobbyIds()]).toEqual([[LOBBY], [LOBBY]]);
});

it('LeaveLobby removes the lobby although another member joined meanwhile', async () => {
  const { client, play, asked } = await heldService();
  const peer = await play(ANA);
  peer.tell('LOBBY_CREATE', lobby);
  await until(() => client.GetLobbyIds().includes(LOBBY));
  const left = client.LeaveLobby(LOBBY);
  const request = await asked(`DELETE /lobbies/${LOBBY}/members/@me`);
  peer.tell('LOBBY_MEMBER_ADD', { lobby_id: lobby.id, member: { id: String(BEN) } });
  await until(() => client.GetLobbyHandle(LOBBY)?.LobbyMemberIds().length === 2);
  request.answer(undefined, 204);
  await left;
  expect(client.GetLobbyIds()).toEqual([]);
});
