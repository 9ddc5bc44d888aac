import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ErrorCode } from '../../../src/protocol/error-code.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import type { AppPeer } from '../../helpers/app-peer.ts';
import { upstreamBridge } from '../../helpers/upstream-bridge.ts';

const RESTARTS = 20;
const SESSIONS = 20;
const REQUESTS = 500;
const AT_ONCE = 8;

/** Sends its share, some at a time; returns how often each nonce was answered, and with what. */
async function load(app: AppPeer, onAnswer: () => void) {
  const answers = new Map<string, string[]>();
  let sent = 0;
  let open = 0;
  while (sent < REQUESTS || open > 0) {
    while (sent < REQUESTS && open < AT_ONCE) {
      app.send(Opcode.FRAME, { cmd: 'GET_GUILDS', args: { n: sent }, nonce: `n${sent}` });
      sent += 1;
      open += 1;
    }
    const { nonce, data, evt } = await app.answer();
    if (evt === 'STATE') continue;
    open -= 1;
    const is = evt === 'ERROR' ? String(data.code) : data.n === Number(nonce?.slice(1)) ? 'its own' : 'wrong';
    answers.set(nonce ?? '', [...(answers.get(nonce ?? '') ?? []), is]);
    onAnswer();
    // An app that is told to try again later does not do so at once.
    if (evt === 'ERROR') await sleep(5);
  }
  return answers;
}

async function served(app: AppPeer): Promise<boolean> {
  app.send(Opcode.FRAME, { cmd: 'GET_GUILDS', args: { n: 0 }, nonce: 'last' });
  let answer = await app.answer();
  while (answer.nonce !== 'last') answer = await app.answer();
  return answer.evt === null;
}

it(`the bridge answers each of ${SESSIONS * REQUESTS} requests once through ${RESTARTS} restarts, and loses no session [R09]`, async () => {
  const { server, client, app } = await upstreamBridge({
    // What hangs because its upstream went is not to be answered by the deadline of all requests.
    limits: { messagesBurst: 1_000_000, connectsBurst: 1_000_000, answerMs: 600_000 },
    script: {
      request(session, request) {
        if (request.cmd === 'SUBSCRIBE') {
          session.answer(request, { evt: request.evt });
          return session.event('STATE', {});
        }
        // Some at once, some later, so that each restart finds requests in flight.
        const delay = Math.random() < 0.2 ? 2 : 0;
        setTimeout(() => session.answer(request, request.args), delay);
      },
    },
  });
  const peers = await Promise.all(Array.from({ length: SESSIONS }, () => app()));
  for (const peer of peers) await peer.subscribe('STATE');
  let answered = 0;
  let restarts = 0;
  let restarting = Promise.resolve();
  const onAnswer = (): void => {
    answered += 1;
    if (restarts === RESTARTS || answered < (restarts + 1) * 400) return;
    restarts += 1;
    restarting = restarting.then(async () => {
      await client.stop();
      await sleep(20);
      await client.start();
    });
  };
  const all = await Promise.all(peers.map((peer) => load(peer, onAnswer)));
  await restarting;
  expect(restarts).toBe(RESTARTS);
  const kinds = new Map<string, number>();
  for (const answers of all) {
    expect(answers.size).toBe(REQUESTS);
    for (const [nonce, list] of answers) {
      expect(list, nonce).toHaveLength(1);
      kinds.set(list[0] ?? '', (kinds.get(list[0] ?? '') ?? 0) + 1);
    }
  }
  expect([...kinds.keys()].sort()).toEqual([String(ErrorCode.SERVICE_UNAVAILABLE), 'its own']);
  // Each comes back, by itself.
  for (const peer of peers) await expect.poll(() => served(peer), { timeout: 20_000 }).toBe(true);
  expect(server.sessions().filter(({ state }) => state === 'ready')).toHaveLength(SESSIONS);
}, 120_000);
