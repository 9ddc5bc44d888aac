// Drives one of the apps of test/interop inside Windows, where neither a channel to its starter nor a pipe for its output
// works: the steps are fixed. Each goes to stdout when it begins, and at the end what came of them as a line of JSON.
// Arguments: the base of the token endpoint, and a token when there is one already.
import type { App, AppAnswer, AppCall } from '../interop/apps/app.ts';

const waiting = new Map<number, (answer: AppAnswer) => void>();
let calls = 0;

process.send = (answer: unknown) => {
  waiting.get((answer as AppAnswer).id)?.(answer as AppAnswer);
  return true;
};

async function ask(method: keyof App, argument?: unknown): Promise<unknown> {
  calls += 1;
  process.stdout.write(`${method}\n`);
  const call: AppCall = { id: calls, method, argument };
  const answered = new Promise<AppAnswer>((resolve) => waiting.set(call.id, resolve));
  process.emit('message', call, undefined);
  const answer = await answered;
  if ('error' in answer) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

/** Runs the steps. */
export async function drive(): Promise<void> {
  const [, , api = '', token] = process.argv;
  const login = { clientId: '300000000000000001', scopes: ['rpc', 'identify'], api, ...(token && { token }) };
  await ask('connect', login.clientId);
  const loggedIn = (await ask('login', login)) as object;
  const voice = await ask('voiceSettings');
  await ask('subscribe', ['VOICE_SETTINGS_UPDATE']);
  const activity = await ask('setActivity', 'On Windows');
  await ask('destroy');
  process.stdout.write(`${JSON.stringify({ ...loggedIn, voice, activity })}\n`, () => process.exit(0));
}
