import { Agent, request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { APP, codeOf, REDIRECT, story } from './story.ts';

const ROUNDS = 200;
const AT_ONCE = 50;

/** A client with a connection for each of its requests. */
function exchanger({ api }: TestEmulator): (code: string) => Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  onTestFinished(() => agent.destroy());
  return (code) =>
    new Promise((resolve, reject) => {
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT,
        client_id: APP,
        client_secret: 'x',
      };
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const sent = request(`${api}/oauth2/token`, { method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(`${response.statusCode} ${Buffer.concat(chunks).toString('utf8')}`));
      });
      sent.on('error', reject);
      sent.end(new URLSearchParams(form).toString());
    });
}

it(`one of ${AT_ONCE} concurrent exchanges of a code returns a token, in ${ROUNDS} of ${ROUNDS} rounds`, async () => {
  const emulator = await story();
  const exchange = exchanger(emulator);
  const dead = '400 {"error":"invalid_grant","error_description":"Invalid \\"code\\" in request."}';
  const oddRounds: string[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const code = await codeOf(emulator, { scope: 'identify' });
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => exchange(code)));
    const good = answers.filter((answer) => answer.startsWith('200 '));
    const refused = answers.filter((answer) => answer === dead);
    if (good.length !== 1 || refused.length !== AT_ONCE - 1) oddRounds.push(answers);
  }
  expect(oddRounds).toEqual([]);
}, 120_000);
