import { describe, expect, it, onTestFinished } from 'vitest';
import { Client, ErrorType } from '../../src/sdk/index.ts';
import { scriptedServer } from '../helpers/scripted-server.ts';
import { APP, until } from './played-game.ts';

const OTHER_APP = '300000000000000002';

/** A game whose chat client takes each connection and says nothing on it. */
async function unanswered() {
  const chat = await scriptedServer(() => {});
  const client = new Client('http://127.0.0.1:9/api', 'https://web.example', { paths: [chat.path] });
  onTestFinished(() => client.Disconnect());
  client.SetApplicationId(APP);
  return { client, chat };
}

describe('the look-up of the user of a silent chat client for another application', () => {
  it('fails after the time that SetHttpRequestTimeout sets', async () => {
    const { client } = await unanswered();
    client.SetHttpRequestTimeout(50);
    const { result, user } = await client.GetDiscordClientConnectedUser(OTHER_APP);
    expect([result.Type(), result.Error(), user]).toEqual([
      ErrorType.NetworkError,
      'The chat client: no answer within 50 ms',
      undefined,
    ]);
  });

  it('fails at Disconnect', async () => {
    const { client, chat } = await unanswered();
    const asked = client.GetDiscordClientConnectedUser(OTHER_APP);
    const isAsked = () => chat.peers.some(({ received }) => received[0]?.body.client_id === OTHER_APP);
    await until(isAsked);
    await client.Disconnect();
    const { result, user } = await asked;
    expect([result.Type(), user]).toEqual([ErrorType.ClientDestroyed, undefined]);
  });
});
