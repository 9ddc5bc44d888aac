import { describe, expect, it } from 'vitest';
import { Activity, ErrorType } from '../../src/sdk/index.ts';
import { scriptedServer } from '../helpers/scripted-server.ts';
import { ANA, ANA_AGAIN, CLEO, type HeldService, heldService } from './held-service.ts';
import { until } from './played-game.ts';

const HEADLESS = 'POST /users/@me/headless-sessions';
const END = `${HEADLESS}/delete`;

function inHarbour(): Activity {
  const activity = new Activity();
  activity.SetState('In the harbour');
  return activity;
}

/** What was asked of sessions without a connection, once all that was asked so far has come to the service. */
async function headless({ client, requests }: HeldService): Promise<unknown[]> {
  await client.FetchCurrentUser(1, ANA);
  return requests.filter(({ what }) => what.startsWith(HEADLESS));
}

/** Shows whatever is asked for. */
const willing: Parameters<typeof heldService>[0] = {
  atOnce: ({ what }) => (what === HEADLESS ? [200, { token: 'session-of-ana' }] : undefined),
};

describe('after Disconnect', () => {
  it('a new token does not show the previous presence', async () => {
    const service = await heldService(willing);
    const { client, play, use } = service;
    await play(ANA);
    expect((await client.UpdateRichPresence(inHarbour())).result.ToString()).toBe('Success');
    await client.Disconnect();
    await use(ANA_AGAIN);
    expect(await headless(service)).toEqual([]);
  });

  it('a presence that a silent chat client did not confirm is not shown', async () => {
    const chat = await scriptedServer(() => {});
    const service = await heldService({ ...willing, paths: [chat.path] });
    const { client, use } = service;
    const used = use(ANA);
    const shown = client.UpdateRichPresence(inHarbour());
    await until(() => chat.peers.some(({ received }) => received.length > 0));
    await client.Disconnect();
    await used;
    expect((await shown).result.Type()).toBe(ErrorType.ClientDestroyed);
    expect(await headless(service)).toEqual([]);
  });

  it('a session that is still being created does not delay Disconnect, and is ended once it exists', async () => {
    const { client, use, asked } = await heldService();
    await use(ANA);
    const shown = client.UpdateRichPresence(inHarbour());
    const made = await asked(HEADLESS);
    await client.Disconnect();
    expect((await shown).result.Type()).toBe(ErrorType.ClientDestroyed);
    made.answer({ token: 'session-of-ana' });
    const end = await asked(END);
    expect([end.token, end.body]).toEqual([ANA, { token: 'session-of-ana' }]);
  });
});

describe('with the token of another player', () => {
  it('a session that is still being created is ended with its own token, and another one is shown', async () => {
    const { client, use, asked, requested } = await heldService({
      atOnce: ({ what, token }) =>
        what === END
          ? [204]
          : what === HEADLESS && token === CLEO
            ? [200, { token: 'session-of-cleo' }]
            : undefined,
    });
    await use(ANA);
    const shown = client.UpdateRichPresence(inHarbour());
    const made = await asked(HEADLESS);
    await use(CLEO);
    made.answer({ token: 'session-of-ana' });
    await shown;
    const end = await asked(END);
    expect([end.token, end.body]).toEqual([ANA, { token: 'session-of-ana' }]);
    const again = await asked(HEADLESS, 1);
    expect([again.token, again.body['token']]).toEqual([CLEO, undefined]);
    await client.Disconnect();
    await asked(END, 1);
    expect(requested(END).map(({ token, body }) => [token, body['token']])).toEqual([
      [ANA, 'session-of-ana'],
      [CLEO, 'session-of-cleo'],
    ]);
  });
});
