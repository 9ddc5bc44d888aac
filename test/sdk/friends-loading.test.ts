import { describe, expect, it } from 'vitest';
import { ClientStatus, LoggingSeverity } from '../../src/sdk/index.ts';
import { ANA, ANA_AGAIN, CLEO, heldService } from './held-service.ts';
import { sorted, until } from './played-game.ts';

const PLATFORM = 'GET /users/@me/relationships';
const GAME = 'GET /users/@me/game-relationships';
const friend = (id: string) => ({ id, type: 1, user: { id, username: `friend ${id}` } });
const friends: Readonly<Record<string, readonly object[]>> = {
  [PLATFORM]: [friend('8')],
  [GAME]: [friend('9')],
};

/** A service that answers with these statuses at first, and what of its lists the game has after a while. */
async function answering(first: Readonly<Record<string, number>>) {
  const left = new Map(Object.entries(first));
  const service = await heldService({
    atOnce: ({ what }) => {
      const list = friends[what];
      const status = left.get(what) ?? 200;
      // A refusal is for good.
      if (status !== 403) left.delete(what);
      return list && (status === 200 ? [200, list] : [status, {}]);
    },
  });
  const lines: string[] = [];
  service.client.AddLogCallback((line) => lines.push(line), LoggingSeverity.Warning);
  const known = (): bigint[] => sorted(service.client.GetRelationships().map((one) => one.Id()));
  return { ...service, known, lines: () => lines.filter((line) => line.startsWith('Relationships: ')) };
}

/** A service whose lists have this status whenever they are asked for. */
async function answeringBy(status: () => number) {
  const service = await heldService({
    atOnce: ({ what }) => friends[what] && (status() === 200 ? [200, friends[what]] : [status(), {}]),
  });
  return {
    ...service,
    known: (): bigint[] => sorted(service.client.GetRelationships().map((one) => one.Id())),
  };
}

describe('a list of friends that the service fails to return', () => {
  it.each([
    [500, GAME, PLATFORM],
    [429, PLATFORM, GAME],
  ])('with %d is requested again, and the log reports it: %s', async (status, failing, other) => {
    const { play, known, lines, requested } = await answering({ [failing]: status });
    await play(ANA);
    await until(() => known().length === 2);
    expect([known(), requested(failing).length, requested(other).length]).toEqual([[8n, 9n], 2, 1]);
    expect(lines()).toEqual([expect.stringMatching(`HTTP ${status}.*; it is asked for again in 1 s$`)]);
  });

  it('with 403 is not requested again, unlike the other list', async () => {
    const { play, known, requested } = await answering({ [PLATFORM]: 403, [GAME]: 500 });
    await play(ANA);
    await until(() => known().length === 1);
    expect([known(), requested(GAME).length, requested(PLATFORM).length]).toEqual([[9n], 2, 1]);
  });
});

it.each([200, 401])(
  'a refreshed token does not discard friend lists that were requested before, answered with %d',
  async (status) => {
    const { client, peers, use, asked } = await heldService({
      atOnce: ({ what, token }) => {
        const list = friends[what];
        return list && (token === ANA ? 'waits' : [200, list]);
      },
    });
    const known = (): bigint[] => sorted(client.GetRelationships().map((one) => one.Id()));
    await use(ANA);
    client.Connect();
    const lists = [await asked(PLATFORM), await asked(GAME)];
    await use(ANA_AGAIN);
    // The session is gone on with.
    await until(() => peers[1]?.said.some(({ op }) => op === 6) === true);
    expect(known()).toEqual([]);
    for (const list of lists) list.answer(status === 200 ? friends[list.what] : {}, status);
    await until(() => known().length === 2 && client.GetStatus() === ClientStatus.Ready);
    expect([known(), client.IsAuthenticated()]).toEqual([[8n, 9n], true]);
  },
);

it('a list of friends is requested again no sooner than the service demands', async () => {
  let tries = 0;
  const { play, client } = await heldService({
    atOnce: ({ what }) => {
      if (what !== GAME) return undefined;
      tries += 1;
      return tries === 1 ? [429, { retry_after: 20 }] : [200, []];
    },
  });
  const lines: string[] = [];
  client.AddLogCallback((line) => lines.push(line), LoggingSeverity.Warning);
  await play(ANA);
  expect(lines.filter((line) => line.startsWith('Relationships: '))).toEqual([
    expect.stringMatching('it is asked for again in 20 s$'),
  ]);
});

it('a failed list of friends is not requested again with the token of another player', async () => {
  const { play, use, client, requested, asked } = await heldService({
    atOnce: ({ what, token }) => {
      if (what === GAME && token === ANA) return [500];
      return what === 'GET /users/@me' && token === CLEO ? 'waits' : undefined;
    },
  });
  await play(ANA);
  const begun = Date.now();
  await use(CLEO);
  const whose = await asked('GET /users/@me');
  // The list would be asked for one second after it failed.
  await until(() => Date.now() > begun + 1500);
  expect(requested(GAME).map(({ token }) => token)).toEqual([ANA]);
  whose.answer({ id: '3', username: 'cleo' });
  await until(() => client.GetCurrentUserV2()?.Id() === 3n);
});

it('all friends are removed when the next session may not read the list', async () => {
  let status = 200;
  const { play, client, known } = await answeringBy(() => status);
  const peer = await play(ANA);
  expect(known()).toEqual([8n, 9n]);
  status = 403;
  // Gone on with is only what the service still knows.
  peer.send({ op: 9, d: false });
  peer.socket.close(4009);
  await until(() => known().length === 0 && client.GetStatus() === ClientStatus.Ready);
});
