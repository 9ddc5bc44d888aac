import { expect, it, onTestFinished } from 'vitest';
import { INTENTS } from '../../../../src/emulator/api/dispatch.ts';
import { Random } from '../../../fuzz/random.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { tokenOf } from '../../../helpers/gateway-client.ts';
import { ResumingBot } from '../../../helpers/resuming-bot.ts';

const SESSIONS = 12;
const MESSAGES = 60;
const CUTS = 40;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

// The same with 100 sessions and 1,000 deliveries a second is a row of `npm run bench -- platform`.
it('a session that resumes after cut connections receives every event once and in order [W-2]', async () => {
  const platform = await botPlatform();
  const { ask, url } = platform;
  const identity = {
    token: tokenOf(platform),
    intents: INTENTS.GUILD_MESSAGES | INTENTS.MESSAGE_CONTENT,
  };
  const bots = await Promise.all(
    Array.from({ length: SESSIONS }, () => new ResumingBot(url, identity).start()),
  );
  onTestFinished(async () => void (await Promise.all(bots.map((each) => each.end()))));
  const random = new Random(20);
  const said = Array.from({ length: MESSAGES }, (_, number) => `message ${number}`);
  const speak = async (): Promise<void> => {
    for (const content of said) {
      await ask(`POST /channels/${ids.general}/messages`, { content });
      await wait(random.int(12));
    }
  };
  const lines = new Map(bots.map((each) => [each, Promise.resolve()]));
  const cut = async (): Promise<void> => {
    for (let count = 0; count < CUTS; count += 1) {
      const one = bots[random.int(SESSIONS)];
      if (one === undefined) continue;
      const [held, pause] = [random.int(60), random.int(25)];
      lines.set(
        one,
        (lines.get(one) ?? Promise.resolve()).then(() => one.cut(held)),
      );
      await wait(pause);
    }
  };
  await Promise.all([speak(), cut()]);
  await Promise.all(lines.values());
  await expect
    .poll(() => Math.min(...bots.map(({ heard }) => heard.length)), { timeout: 10_000 })
    .toBe(MESSAGES);
  expect(bots.map(({ heard }) => heard)).toEqual(bots.map(() => said));
  expect(bots.flatMap(({ faults }) => faults)).toEqual([]);
  expect(bots.reduce((sum, { resumes }) => sum + resumes, 0)).toBe(CUTS);
});
