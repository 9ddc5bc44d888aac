import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/sdk/index.ts';
import { asServer, plays, service, sorted, until } from './played-game.ts';

/** What a game is told of lobbies and messages, in order. */
function toldOf(client: Client): string[] {
  const told: string[] = [];
  client.SetLobbyCreatedCallback((id) => told.push(`created ${id}`));
  client.SetLobbyUpdatedCallback((id) => told.push(`updated ${id}`));
  client.SetLobbyDeletedCallback((id) => told.push(`deleted ${id}`));
  client.SetLobbyMemberAddedCallback((_id, member) => told.push(`member ${member}`));
  client.SetLobbyMemberUpdatedCallback((_id, member) => told.push(`member changed ${member}`));
  client.SetLobbyMemberRemovedCallback((_id, member) => told.push(`member gone ${member}`));
  client.SetMessageCreatedCallback((id) => told.push(`said ${client.GetMessageHandle(id)?.Content()}`));
  client.SetMessageUpdatedCallback((id) => told.push(`changed ${client.GetMessageHandle(id)?.Content()}`));
  client.SetMessageDeletedCallback((_id, channel) => told.push(`unsaid in ${channel}`));
  return told;
}

describe('lobbies', () => {
  it('are created and joined by a secret, changed, left and reported [K-11, K-18, O-19, O-20]', async () => {
    const { api } = await service();
    const ana = await plays(api, 'ana');
    const bo = await plays(api, 'bo');
    const told = toldOf(ana.client);
    const calledBack: unknown[] = [];
    const made = await ana.client.CreateOrJoinLobbyWithMetadata(
      'tide',
      { map: 'quay' },
      { team: 'red' },
      (...given) => calledBack.push(given),
    );
    expect(made.result.Successful()).toBe(true);
    const lobby = made.lobbyId;
    expect(calledBack).toEqual([[made.result, lobby]]);
    const joined = await bo.client.CreateOrJoinLobby('tide');
    expect(joined.lobbyId).toBe(lobby);
    await until(() => told.includes(`member ${bo.id}`));
    expect(ana.client.GetLobbyIds()).toEqual([lobby]);
    const handle = ana.client.GetLobbyHandle(lobby);
    expect([handle?.Id(), handle?.Metadata(), handle?.LobbyMemberIds()]).toEqual([
      lobby,
      { map: 'quay' },
      [ana.id, bo.id],
    ]);
    const [first, second] = handle?.LobbyMembers() ?? [];
    expect([
      first?.Metadata(),
      first?.User()?.DisplayName(),
      first?.CanLinkLobby(),
      first?.Connected(),
    ]).toEqual([{ team: 'red' }, 'ana', false, false]);
    expect(handle?.GetLobbyMemberHandle(bo.id)?.Id()).toBe(second?.Id());
    // Each knows who the other is, and nobody has written yet.
    expect(second?.User()?.DisplayName()).toBe('bo');
    await until(() => bo.client.GetUser(ana.id) !== undefined);
    const others = bo.client.GetLobbyHandle(lobby)?.LobbyMembers() ?? [];
    expect(others.map((one) => one.User()?.DisplayName())).toEqual(['ana', 'bo']);
    expect(handle?.LinkedChannel()).toBeUndefined();

    await asServer(api, 'PATCH', `/lobbies/${lobby}`, { metadata: { map: 'pier' } });
    await until(() => told.includes(`updated ${lobby}`));
    expect(ana.client.GetLobbyHandle(lobby)?.Metadata()).toEqual({ map: 'pier' });
    await asServer(api, 'PUT', `/lobbies/${lobby}/members/${bo.id}`, {
      additional_name: 'Captain',
      metadata: { team: 'blue' },
    });
    await until(() => told.includes(`member changed ${bo.id}`));
    expect(ana.client.GetLobbyHandle(lobby)?.GetLobbyMemberHandle(bo.id)?.Metadata()).toEqual({
      team: 'blue',
    });

    const sent = await bo.client.SendLobbyMessageWithMetadata(lobby, 'low water', { round: '2' });
    expect(sent.result.ToString()).toBe('Success');
    await until(() => told.includes('said low water'));
    const message = ana.client.GetMessageHandle(sent.messageId);
    expect({
      id: message?.Id(),
      author: [message?.AuthorId(), message?.Author()?.Username()],
      in: [message?.LobbyId(), message?.ChannelId(), message?.RecipientId()],
      texts: [message?.Content(), message?.RawContent(), message?.AdditionalName()],
      metadata: [message?.Metadata(), message?.ModerationMetadata()],
      from: [message?.ApplicationId(), message?.SentFromGame()],
    }).toEqual({
      id: sent.messageId,
      author: [bo.id, `provisional_${bo.id}`],
      in: [lobby, lobby, 0n],
      texts: ['low water', 'low water', 'Captain'],
      metadata: [{ round: '2' }, {}],
      from: [300000000000000001n, true],
    });
    expect(Number(message?.SentTimestamp())).toBeGreaterThan(Date.now() - 60_000);
    expect(message?.EditedTimestamp()).toBe(0n);
    await asServer(api, 'PUT', `/lobbies/${lobby}/messages/${sent.messageId}/moderation-metadata`, {
      verdict: 'fine',
    });
    await until(() => told.includes('changed low water'));
    expect(ana.client.GetMessageHandle(sent.messageId)?.ModerationMetadata()).toEqual({ verdict: 'fine' });

    await ana.client.SendLobbyMessage(lobby, 'high water');
    const { messages } = await ana.client.GetLobbyMessagesWithLimit(lobby, 1);
    expect(messages.map((one) => one.Content())).toEqual(['high water']);
    expect((await bo.client.LeaveLobby(lobby)).result.Successful()).toBe(true);
    await until(() => told.includes(`member gone ${bo.id}`));
    expect(bo.client.GetLobbyIds()).toEqual([]);
    await asServer(api, 'DELETE', `/lobbies/${lobby}`);
    await until(() => told.includes(`deleted ${lobby}`));
    expect([ana.client.GetLobbyIds(), ana.client.GetLobbyHandle(lobby)]).toEqual([[], undefined]);
    expect(told[0]).toBe(`created ${lobby}`);
  });

  it('are known after a new connection, without repeated events', async () => {
    const emulator = await service();
    const { api } = emulator;
    const ana = await plays(api, 'ana');
    const { lobbyId } = await ana.client.CreateOrJoinLobby('one');
    const { lobbyId: other } = await ana.client.CreateOrJoinLobby('two');
    const told = toldOf(ana.client);
    await emulator.restart();
    await until(
      () => ana.client.GetStatus() === 3 && ana.statuses.filter(([status]) => status === 3).length === 2,
    );
    expect(sorted(ana.client.GetLobbyIds())).toEqual(sorted([lobbyId, other]));
    expect(told).toEqual([]);
    await ana.client.SendLobbyMessage(lobbyId, 'still here');
    await until(() => told.includes('said still here'));
  });

  it('refuse an invalid secret, lobby, limit or text by its name', async () => {
    const { api } = await service();
    const { client } = await plays(api, 'ana');
    const problems = [
      await client.CreateOrJoinLobby(''),
      await client.CreateOrJoinLobbyWithMetadata('s', [] as never, {}),
      await client.CreateOrJoinLobbyWithMetadata('s', {}, { a: 1 } as never),
      await client.LeaveLobby('x'),
      await client.SendLobbyMessage(1n, ''),
      await client.GetLobbyMessagesWithLimit(1n, 0),
      await client.GetLobbyMessagesWithLimit(1n, 201),
    ].map(({ result }) => [result.Type(), result.Error().split(':')[0]]);
    expect(problems).toEqual(
      ['secret', 'lobbyMetadata', 'memberMetadata', 'lobbyId', 'content', 'limit', 'limit'].map((field) => [
        6,
        field,
      ]),
    );
    const refused = (await client.SendLobbyMessage(1n, 'x')).result;
    expect([refused.Type(), refused.Status(), refused.Retryable(), refused.RetryAfter()]).toEqual([
      2,
      404,
      false,
      0,
    ]);
  });

  it('lose none of 500 messages', async () => {
    const emulator = await service();
    const ana = await plays(emulator.api, 'ana');
    const { lobbyId } = await ana.client.CreateOrJoinLobby('tide');
    const heard = new Set<string>();
    ana.client.SetMessageCreatedCallback((id) => heard.add(ana.client.GetMessageHandle(id)?.Content() ?? ''));
    const many = 500;
    for (let i = 0; i < many; i += 1)
      await emulator.operations.call('lobby.say', {
        lobby: String(lobbyId),
        user: String(ana.id),
        text: `m${i}`,
      });
    await until(() => heard.size === many);
  });
});
