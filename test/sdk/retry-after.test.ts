import { expect, it } from 'vitest';
import { AuthorizationTokenType } from '../../src/sdk/index.ts';
import { alone } from './played-game.ts';
import { scriptedService } from './scripted-service.ts';

/** As many seconds as a timer may have. */
const LONGEST = (2 ** 31 - 1) / 1000;

it.each<[string, string | undefined, object | undefined, number]>([
  ['the header alone', '7', undefined, 7],
  ['the header beside a body that does not say', '2.5', { message: 'You are being rate limited.' }, 2.5],
  ['the body, which is more exact', '2', { retry_after: 1.25 }, 1.25],
  ['a header beyond any timer', '99999999999', undefined, LONGEST],
  ['a body beyond any timer', undefined, { retry_after: 1e300 }, LONGEST],
  ['a header that is no number of seconds', 'soon', undefined, 0],
])('a result of status 429 reports the time to wait from %s', async (_what, header, body, seconds) => {
  const { api } = await scriptedService({
    answer: (_request, response) => {
      response.writeHead(429, header === undefined ? {} : { 'retry-after': header });
      response.end(body === undefined ? '' : JSON.stringify(body));
      return true;
    },
  });
  const client = alone(api);
  await client.UpdateToken(AuthorizationTokenType.Bearer, 'a-token-of-nobody');
  const { result } = await client.CreateOrJoinLobby('tide');
  expect([result.Status(), result.Retryable(), result.RetryAfter()]).toEqual([429, true, seconds]);
});
