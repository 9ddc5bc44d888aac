import { describe, expect, it } from 'vitest';
import {
  AdditionalContent,
  AdditionalContentType,
  ChannelType,
  Client,
  type MessageHandle,
} from '../../src/sdk/index.ts';
import { type PlayedGame, plays, service, until } from './played-game.ts';

/** Two who may write to each other. */
async function two(api: string): Promise<readonly [PlayedGame, PlayedGame]> {
  return [await plays(api, 'ana'), await plays(api, 'bo')];
}

describe('messages between two players', () => {
  it('have the metadata of the game, their channel and their recipient', async () => {
    const { api } = await service();
    const [ana, bo] = await two(api);
    const sent = await ana.client.SendUserMessageWithMetadata(bo.id, 'psst', { mood: 'sly' });
    expect(sent.result.ToString()).toBe('Success');
    await until(() => bo.client.GetMessageHandle(sent.messageId) !== undefined);
    const heard = bo.client.GetMessageHandle(sent.messageId);
    const own = ana.client.GetMessageHandle(sent.messageId);
    expect([heard?.Metadata(), own?.Metadata()]).toEqual([{ mood: 'sly' }, { mood: 'sly' }]);
    expect([heard?.Recipient()?.Id(), own?.Recipient()?.Id()]).toEqual([bo.id, bo.id]);
    expect([heard?.Lobby(), heard?.DisclosureType(), heard?.AdditionalContent()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    for (const [message, client, other] of [
      [heard, bo.client, ana.id],
      [own, ana.client, bo.id],
    ] as const) {
      const channel = message?.Channel();
      expect([channel?.Id(), channel?.Type(), channel?.Name(), channel?.Recipients()]).toEqual([
        message?.ChannelId(),
        ChannelType.Dm,
        '',
        [other],
      ]);
      expect(client.GetChannelHandle(channel?.Id() ?? 0n)?.Recipients()).toEqual([other]);
    }
    const plain = await ana.client.SendUserMessageWithMetadata(bo.id, 'plain', {});
    expect(ana.client.GetMessageHandle(plain.messageId)?.Metadata()).toEqual({});
    await ana.client.Disconnect();
    expect(ana.client.GetChannelHandle(heard?.ChannelId() ?? 0n)).toBeUndefined();
  });

  it('are read without a limit when the limit is 0 or less', async () => {
    const emulator = await service();
    const [ana, bo] = await two(emulator.api);
    await ana.client.SendUserMessage(bo.id, 'psst');
    for (const limit of [0, -1]) {
      const { messages } = await bo.client.GetUserMessagesWithLimit(ana.id, limit);
      expect(messages.map((message) => message.Content())).toEqual(['psst']);
    }
    const asked = emulator.journal().flatMap((entry) => (entry.kind === 'http' ? [entry.path] : []));
    expect(asked.filter((path) => path.endsWith('/messages?limit=0'))).toEqual([]);
  });
});

describe('messages of a lobby', () => {
  it('have the channel of the lobby, and no recipient', async () => {
    const { api } = await service();
    const ana = await plays(api, 'ana');
    const { lobbyId } = await ana.client.CreateOrJoinLobby('tide');
    const { messageId } = await ana.client.SendLobbyMessage(lobbyId, 'low water');
    const message = ana.client.GetMessageHandle(messageId);
    const channel = message?.Channel();
    expect([channel?.Id(), channel?.Type(), channel?.Recipients(), channel?.Name()]).toEqual([
      lobbyId,
      ChannelType.Lobby,
      [],
      '',
    ]);
    expect(ana.client.GetChannelHandle(lobbyId)?.Type()).toBe(ChannelType.Lobby);
    expect([message?.Lobby()?.Id(), message?.Recipient()]).toEqual([lobbyId, undefined]);
    await ana.client.LeaveLobby(lobbyId);
    const later = ana.client.GetMessageHandle(messageId);
    expect([later?.Lobby(), later?.Channel(), ana.client.GetChannelHandle(lobbyId)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    // A handle stays what it was.
    expect(message?.Lobby()?.Id()).toBe(lobbyId);
  });
});

describe('the additional content of a message', () => {
  it('has its kind and its count', async () => {
    const { api } = await service();
    const [ana, bo] = await two(api);
    const heard = new Map<string, MessageHandle | undefined>();
    bo.client.SetMessageCreatedCallback((id) => {
      const message = bo.client.GetMessageHandle(id);
      heard.set(message?.Content() ?? '', message);
    });
    const write = async (said: object, files: readonly string[] = []): Promise<void> => {
      const form = new FormData();
      form.set('payload_json', JSON.stringify(said));
      for (const [place, name] of files.entries()) form.set(`files[${place}]`, new Blob(['x']), name);
      const response = await fetch(`${api}/v10/users/${bo.id}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ana.token}` },
        body: form,
      });
      expect(response.status, await response.text()).toBe(200);
    };
    await write({ content: 'two files' }, ['one.txt', 'two.txt']);
    await write({
      content: 'a poll',
      poll: { question: { text: 'Tide?' }, answers: [{ poll_media: { text: 'low' } }], duration: 1 },
    });
    await until(() => heard.size === 2);
    const of = (text: string) => {
      const content = heard.get(text)?.AdditionalContent();
      return [content?.Type(), content?.Count(), content?.Title()];
    };
    expect(of('two files')).toEqual([AdditionalContentType.Attachment, 2, undefined]);
    expect(of('a poll')).toEqual([AdditionalContentType.Poll, 1, 'Tide?']);
    const both = [...heard.values()].map((message) => message?.AdditionalContent());
    expect(both.map((one) => one?.Equals(new AdditionalContent(both[0])))).toEqual([true, false]);
  });

  it('has a name for each kind', () => {
    const name = (type: AdditionalContentType): string => AdditionalContent.TypeToString(type);
    expect(Object.values(AdditionalContentType).map(name)).toEqual([
      'Other',
      'Attachment',
      'Poll',
      'VoiceMessage',
      'Thread',
      'Embed',
      'Sticker',
    ]);
    expect(name(7 as never)).toBe('unknown');
    for (const wrong of [-1, 256, 0.5, '1'])
      expect(() => new AdditionalContent().SetCount(wrong as never)).toThrow(/^Count: must be /);
  });
});

it('no message can be opened in a chat client', () => {
  expect(new Client('', '').CanOpenMessageInDiscord(1n)).toBe(false);
});
