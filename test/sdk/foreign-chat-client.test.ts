import { expect, it } from 'vitest';
import { scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';
import { CLEO, heldService } from './held-service.ts';
import { until } from './played-game.ts';

/** A game beside the chat client of Mason, which takes nobody's token; the service takes any. */
async function besideMason() {
  const chat = await scriptedServer((frame, peer, connection) => {
    const { cmd, nonce } = frame.body ?? {};
    if (cmd !== 'AUTHENTICATE') return wellBehaved(frame, peer, connection);
    peer.payload({ cmd, nonce, evt: 'ERROR', data: { code: 4009, message: 'Invalid access token' } });
  });
  const service = await heldService({
    paths: [chat.path],
    atOnce: ({ what }) => (what === 'GET /oauth2/@me' ? [200, {}] : undefined),
  });
  await until(() => service.client.GetCurrentUserV2()?.Username() === 'mason');
  return { ...service, chat };
}

it('the user of a chat client that refuses the token is not the player', async () => {
  const { client, use, play } = await besideMason();
  await use(CLEO);
  expect([client.IsAuthenticated(), client.GetCurrentUserV2()]).toEqual([true, undefined]);
  await play(CLEO);
  expect(client.GetCurrentUserV2()?.Username()).toBe('cleo');
  await client.Disconnect();
  expect(client.GetCurrentUserV2()).toBeUndefined();
});

it.each(['without a session', 'with one'])(
  'an invite or a join for the user of a foreign chat client is not reported to a player %s',
  async (how) => {
    const { client, chat, use, play } = await besideMason();
    const told: unknown[] = [];
    client.SetActivityInviteCreatedCallback((invite) => told.push(invite.MessageId()));
    client.SetActivityJoinWithApplicationCallback((_application, secret) => told.push(secret));
    client.SetVoiceSettingsUpdatedCallback(() => told.push('voice'));
    await until(() => chat.peer.requests('SUBSCRIBE').length === 4);
    // In order: what is to be told of the others is told before the last.
    const invited = async (message_id: string): Promise<unknown[]> => {
      chat.peer.dispatch('ACTIVITY_INVITE', { type: 1, user: { id: '9' }, channel_id: '8', message_id });
      chat.peer.dispatch('ACTIVITY_JOIN_REQUEST', {
        type: 5,
        user: { id: '9' },
        message_id: `${message_id}0`,
      });
      chat.peer.dispatch('ACTIVITY_JOIN', { secret: 'let-me-in' });
      chat.peer.dispatch('VOICE_SETTINGS_UPDATE', {});
      await until(() => told.includes('voice'));
      return told.splice(0);
    };
    // Nobody has said yet who plays.
    expect(await invited('70')).toEqual([70n, 700n, 'let-me-in', 'voice']);
    await (how === 'with one' ? play(CLEO) : use(CLEO));
    expect(await invited('71')).toEqual(['voice']);
  },
);
