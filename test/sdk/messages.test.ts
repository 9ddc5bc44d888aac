import { describe, expect, it } from 'vitest';
import { RelationshipGroupType, RelationshipType } from '../../src/sdk/index.ts';
import { asServer, plays, service, until } from './played-game.ts';

describe('messages between two players', () => {
  it('are written, changed, deleted, read and reported [K-12, O-20]', async () => {
    const { api } = await service();
    const ana = await plays(api, 'ana');
    const bo = await plays(api, 'bo');
    await ana.client.SendGameFriendRequestById(bo.id);
    await bo.client.AcceptGameFriendRequest(ana.id);
    const told: string[] = [];
    bo.client.SetMessageCreatedCallback((id) =>
      told.push(`said ${bo.client.GetMessageHandle(id)?.Content()}`),
    );
    bo.client.SetMessageUpdatedCallback((id) =>
      told.push(`changed ${bo.client.GetMessageHandle(id)?.Content()}`),
    );
    bo.client.SetMessageDeletedCallback((id) =>
      told.push(`unsaid ${bo.client.GetMessageHandle(id) === undefined}`),
    );
    const sent = await ana.client.SendUserMessage(bo.id, 'psst');
    expect(sent.result.ToString()).toBe('Success');
    await until(() => told.includes('said psst'));
    const heard = bo.client.GetMessageHandle(sent.messageId);
    expect([heard?.AuthorId(), heard?.RecipientId(), heard?.LobbyId(), heard?.ApplicationId()]).toEqual([
      ana.id,
      bo.id,
      0n,
      300000000000000001n,
    ]);
    expect(ana.client.GetMessageHandle(sent.messageId)?.RecipientId()).toBe(bo.id);
    await asServer(
      api,
      'PUT',
      `/partner-sdk/dms/${ana.id}/${bo.id}/messages/${sent.messageId}/moderation-metadata`,
      { verdict: 'fine' },
    );
    const { messages } = await bo.client.GetUserMessagesWithLimit(ana.id, 10);
    expect(messages.map((one) => [one.Content(), one.ModerationMetadata()])).toEqual([
      ['psst', { verdict: 'fine' }],
    ]);

    expect((await ana.client.EditUserMessage(bo.id, sent.messageId, 'psst!')).result.Successful()).toBe(true);
    await until(() => told.includes('changed psst!'));
    expect(Number(bo.client.GetMessageHandle(sent.messageId)?.EditedTimestamp())).toBeGreaterThan(0);
    const { summaries } = await bo.client.GetUserMessageSummaries();
    expect(summaries.map((one) => [one.UserId(), one.LastMessageId()])).toEqual([[ana.id, sent.messageId]]);
    const other = await ana.client.GetUserMessageSummaries();
    expect(other.summaries.map((one) => one.UserId())).toEqual([bo.id]);
    expect((await ana.client.DeleteUserMessage(bo.id, sent.messageId)).result.Successful()).toBe(true);
    await until(() => told.includes('unsaid true'));
  });

  it('are refused with the name of the invalid argument', async () => {
    const { api } = await service();
    const { client } = await plays(api, 'ana');
    const problems = [
      await client.SendUserMessage(0.5 as never, 'x'),
      await client.SendUserMessage(1n, ''),
      await client.EditUserMessage(1n, 'x', 'y'),
      await client.DeleteUserMessage(1n, -1n),
      await client.GetUserMessagesWithLimit(1n, 1.5),
    ].map(({ result }) => [result.Type(), result.Error().split(':')[0]]);
    expect(problems).toEqual(
      ['recipientId', 'content', 'messageId', 'messageId', 'limit'].map((field) => [6, field]),
    );
  });
});

describe('the relationships of a player', () => {
  it('are friends of the game and of the platform, and changes of their groups are reported [K-15, V-15]', async () => {
    const { api } = await service();
    const ana = await plays(api, 'ana');
    const bo = await plays(api, 'bo');
    const told: string[] = [];
    ana.client.SetRelationshipCreatedCallback((id, isDiscord) => told.push(`created ${id} ${isDiscord}`));
    ana.client.SetRelationshipDeletedCallback((id, isDiscord) => told.push(`deleted ${id} ${isDiscord}`));
    ana.client.SetRelationshipGroupsUpdatedCallback((id) => told.push(`groups ${id}`));
    expect((await ana.client.SendGameFriendRequest(`provisional_${bo.id}`)).result.ToString()).toBe(
      'Success',
    );
    await until(
      () =>
        ana.client.GetRelationshipHandle(bo.id).GameRelationshipType() === RelationshipType.PendingOutgoing,
    );
    await until(
      () =>
        bo.client.GetRelationshipHandle(ana.id).GameRelationshipType() === RelationshipType.PendingIncoming,
    );
    expect((await bo.client.AcceptGameFriendRequest(ana.id)).result.Successful()).toBe(true);
    await until(
      () => ana.client.GetRelationshipHandle(bo.id).GameRelationshipType() === RelationshipType.Friend,
    );
    expect(
      ana.client
        .GetRelationships()
        .map((one) => [one.Id(), one.DiscordRelationshipType(), one.User()?.DisplayName()]),
    ).toEqual([[bo.id, RelationshipType.None, 'bo']]);
    const group = (): (number | undefined)[] =>
      Object.values(RelationshipGroupType).filter(
        (one) => ana.client.GetRelationshipsByGroup(one).length > 0,
      );
    expect(group()).toHaveLength(1);
    expect(ana.client.GetUser(bo.id)?.GlobalName()).toBe('bo');
    expect(told).toEqual(expect.arrayContaining([`created ${bo.id} false`, `groups ${bo.id}`]));
    expect((await ana.client.RemoveGameFriend(bo.id)).result.Successful()).toBe(true);
    await until(() => told.includes(`deleted ${bo.id} false`));
    expect(ana.client.GetRelationships()).toEqual([]);
    expect(ana.client.GetRelationshipHandle(bo.id).GameRelationshipType()).toBe(RelationshipType.None);
  });

  it('can be requested, cancelled, rejected and blocked', async () => {
    const { api } = await service();
    const ana = await plays(api, 'ana');
    const bo = await plays(api, 'bo');
    const type = () => bo.client.GetRelationshipHandle(ana.id).GameRelationshipType();
    for (const end of ['Cancel', 'Reject'] as const) {
      await ana.client.SendGameFriendRequestById(bo.id);
      await until(() => type() === RelationshipType.PendingIncoming);
      const { result } =
        end === 'Cancel'
          ? await ana.client.CancelGameFriendRequest(bo.id)
          : await bo.client.RejectGameFriendRequest(ana.id);
      expect(result.ToString()).toBe('Success');
      await until(() => type() === RelationshipType.None);
    }
    const refused = [
      await ana.client.SendDiscordFriendRequest(''),
      await ana.client.SendDiscordFriendRequest('nobody.at.all'),
      await ana.client.SendDiscordFriendRequestById(1n),
      await ana.client.AcceptDiscordFriendRequest('x'),
      await ana.client.RejectDiscordFriendRequest('x'),
      await ana.client.CancelDiscordFriendRequest('x'),
      await ana.client.UnblockUser('x'),
    ].map(({ result }) => result.Type());
    expect(refused).toEqual([6, 2, 2, 6, 6, 6, 6]);
    expect((await ana.client.BlockUser(bo.id)).result.ToString()).toBe('Success');
    await until(
      () => ana.client.GetRelationshipHandle(bo.id).DiscordRelationshipType() === RelationshipType.Blocked,
    );
    expect((await ana.client.UnblockUser(bo.id)).result.ToString()).toBe('Success');
    await until(() => ana.client.GetRelationships().length === 0);
  });
});
