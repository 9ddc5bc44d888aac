import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpointPath } from '../target/launch.ts';
import { type ClientCase, clientCase, unixClientCase } from './case.ts';
import { leaveStale, type Stage } from './stage.ts';

const UNSET = { XDG_RUNTIME_DIR: undefined, TMPDIR: undefined, TMP: undefined, TEMP: undefined };

/** Verifies that the client connects to the endpoint and becomes ready. */
async function finds(
  stage: Stage,
  address: { index?: number; folder?: string; env?: Record<string, string | undefined> } = {},
): Promise<void> {
  const endpoint = await stage.open(address.index ?? 0, address.folder);
  const client = stage.start('idle', address.env);
  const visitor = await stage.visit(endpoint, client);
  await visitor.welcome();
  await client.saw('ready', stage.timeouts.answerMs);
}

/** Returns a case in which only one variable is set, and names the folder. */
function findsBy(variable: string): (stage: Stage) => Promise<void> {
  return (stage) => finds(stage, { env: { ...UNSET, [variable]: stage.folder } });
}

/** Case in which no server can be reached: the client must report it to the app. */
async function reportsFailure(stage: Stage): Promise<void> {
  const client = stage.start('idle');
  await client.sawAny(['failed', 'closed'], stage.timeouts.deadlineMs);
}

/** Cases about the folders and indexes that a client searches. */
export const searchCases: readonly ClientCase[] = [
  clientCase('client-search/1', 'index 0 in XDG_RUNTIME_DIR', (stage) => finds(stage)),
  clientCase('client-search/2', 'index 3 when there is no other', (stage) => finds(stage, { index: 3 })),
  clientCase('client-search/3', 'index 9 when there is no other', (stage) => finds(stage, { index: 9 })),
  unixClientCase('client-search/4', 'a stale socket at 0, a live one at 1', async (stage) => {
    await leaveStale(endpointPath(stage.folder, 0));
    await finds(stage, { index: 1 });
  }),
  unixClientCase('client-search/5', 'TMPDIR when XDG_RUNTIME_DIR is not set', findsBy('TMPDIR')),
  unixClientCase('client-search/6', 'TMP when neither is set', findsBy('TMP')),
  unixClientCase('client-search/7', 'TEMP when none of the three is set', findsBy('TEMP')),
  unixClientCase('client-search/8', 'an empty XDG_RUNTIME_DIR is as good as none', (stage) =>
    finds(stage, { env: { XDG_RUNTIME_DIR: '' } }),
  ),
  unixClientCase('client-search/9', 'the folder of the Flatpak', (stage) =>
    finds(stage, { folder: join(stage.folder, 'app/com.discordapp.Discord') }),
  ),
  unixClientCase('client-search/10', 'the folder of the snap', (stage) =>
    finds(stage, { folder: join(stage.folder, 'snap.discord') }),
  ),
  unixClientCase('client-search/11', 'a file called discord-ipc-0.lock beside it', async (stage) => {
    writeFileSync(`${endpointPath(stage.folder, 0)}.lock`, '');
    await finds(stage);
  }),
  clientCase('client-search/12', 'nothing listens: the app gets an error', reportsFailure),
  unixClientCase('client-search/13', 'only a stale socket: the app gets an error', async (stage) => {
    await leaveStale(endpointPath(stage.folder, 0));
    await reportsFailure(stage);
  }),
];
