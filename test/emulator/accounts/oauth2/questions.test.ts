import { expect, it } from 'vitest';
import { Questions } from '../../../../src/emulator/accounts/oauth2/questions.ts';

/** A question that is open until `answer` is called. */
function opened(questions: Questions, signal = new AbortController().signal) {
  let isAlive = true;
  let given: AbortSignal | undefined;
  let answer: (text: string) => void = () => {};
  const done = questions.during(
    () => isAlive,
    signal,
    (passed) => {
      given = passed;
      return new Promise<string>((resolve) => {
        answer = resolve;
      });
    },
  );
  return {
    done,
    answer: (text: string) => answer(text),
    end: () => {
      isAlive = false;
    },
    isWithdrawn: () => given?.aborted,
  };
}

it('Questions withdraws questions about tokens that ended, and no others', () => {
  const questions = new Questions();
  const [ended, alive] = [opened(questions), opened(questions)];
  ended.end();
  questions.settle();
  expect([ended.isWithdrawn(), alive.isWithdrawn()]).toEqual([true, false]);
});

it('Questions withdraws a question when its signal aborts, or has aborted before', () => {
  const asker = new AbortController();
  const question = opened(new Questions(), asker.signal);
  expect(question.isWithdrawn()).toBe(false);
  asker.abort();
  expect(question.isWithdrawn()).toBe(true);
  expect(opened(new Questions(), asker.signal).isWithdrawn()).toBe(true);
});

it('Questions returns the answer, and no longer withdraws an answered question', async () => {
  const questions = new Questions();
  const asker = new AbortController();
  const question = opened(questions, asker.signal);
  question.answer('yes');
  expect(await question.done).toBe('yes');
  question.end();
  questions.settle();
  asker.abort();
  expect(question.isWithdrawn()).toBe(false);
});
