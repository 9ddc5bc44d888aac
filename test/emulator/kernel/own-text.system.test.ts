import { expect, it } from 'vitest';
import { scopesIn } from '../../../src/emulator/accounts/oauth2/scopes.ts';
import { idList } from '../../../src/emulator/api/fields.ts';
import { platformRoutes } from '../../../src/emulator/compose/reference.ts';
import { safeName, titleOf } from '../../../src/emulator/files/file-name.ts';
import { firstFault } from '../../../src/emulator/guilds/automod/keywords.ts';
import { readTargets } from '../../../src/emulator/guilds/invites/targets-file.ts';
import { githubEmbed } from '../../../src/emulator/interactions/channel-webhooks/github.ts';
import type { GithubRequest } from '../../../src/emulator/interactions/channel-webhooks/github-body.ts';
import { ownText } from '../../../src/emulator/kernel/own-text.ts';
import { requestPathOf } from '../../../src/emulator/serve/http/routes.ts';
import { targetOf } from '../../../src/emulator/serve/http/target.ts';
import { pairsOf } from '../../../src/emulator/serve/http/texts.ts';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { liveBytes } from '../../helpers/memory-use.ts';

const COUNT = 50;
const WARM_UP = 60;
const REQUESTS = 150;
const GENERAL = `/channels/${ids.general}`;
const routes = platformRoutes();

/** Another id for each, longer than what V8 copies. */
const idOf = (i: number) => String(700_000_000_000_000_000n + BigInt(i));
const junk = (kilobytes: number) => 'j'.repeat(kilobytes * 1000);

function paramsOf(url: string): unknown {
  const found = routes.find('PUT', requestPathOf(targetOf(url).pathname));
  return found.kind === 'found' ? found.params : undefined;
}

const sender = { id: 1, login: 'otter', html_url: 'https://x.test', avatar_url: 'https://x.test' };
const opened = (title: string, body: string) =>
  githubEmbed('issues', {
    action: 'opened',
    issue: { id: 1, number: 1, title, html_url: 'https://x.test', body, user: sender },
    sender,
  } as unknown as GithubRequest);

it.each<[what: string, read: (i: number) => unknown]>([
  ['a value of a form', (i) => pairsOf(`content=${idOf(i)}&junk=${junk(60)}`)[0]],
  ['a name of a form', (i) => pairsOf(`field${idOf(i)}=1&junk=${junk(60)}`)[0]],
  ['a value of a query', (i) => targetOf(`/api?content=${idOf(i)}&junk=${junk(60)}`).query.get('content')],
  ['an id in a path', (i) => paramsOf(`/api/guilds/${idOf(i)}/bans/${idOf(i)}?junk=${junk(60)}`)],
  ['ids with commas', (i) => idList(100).parse(`${idOf(i)},${idOf(i + 1)}${' '.repeat(60_000)}`)],
  ['ids in a file', (i) => readTargets(Buffer.from(`user_id\n${idOf(i)}\n${'\n'.repeat(30_000)}`))],
  ['scopes', (i) => scopesIn(`rpc.voice.read${i} ${' '.repeat(60_000)}`)],
  ['the title of an event of another site', (i) => opened(idOf(i) + junk(60), '')],
  ['the text of an event of another site', (i) => opened('', idOf(i) + junk(60))],
  ['the name of a file', (i) => safeName(`${junk(60)}/${idOf(i)}.png`)],
  ['the title of a file', (i) => titleOf(`${idOf(i)}/${junk(60)}`)],
  [
    'what a rule has found',
    (i) =>
      firstFault(`${idOf(i)} ${junk(60)}`, { keywords: [idOf(i)], patterns: [], allowed: [] }, () => [])
        ?.content,
  ],
])('%s retains no other memory of its input', (_, read) => {
  const kept = [read(0), read(1)];
  expect(JSON.stringify(kept)).toContain(idOf(1).slice(-1));
  const before = liveBytes();
  for (let i = 2; i < COUNT; i += 1) kept.push(read(i));
  expect((liveBytes() - before) / kept.length).toBeLessThan(10_000);
});

/** Sends one request often; the bytes that each leaves in memory. */
async function bytesLeft(send: (i: number) => Promise<{ readonly status: number }>): Promise<number> {
  // What is made once (compiled code as well) is not counted, or is shared by many.
  for (let i = 0; i < WARM_UP; i += 1) expect((await send(i)).status).toBe(200);
  const before = liveBytes();
  for (let i = WARM_UP; i < WARM_UP + REQUESTS; i += 1) await send(i);
  return (liveBytes() - before) / REQUESTS;
}

it('a message from a form and an audit log reason retain no other memory of the request', async () => {
  const { ask, call, bot } = await botPlatform();
  const headers = { ...bot(), 'content-type': 'application/x-www-form-urlencoded' };
  const message = (i: number) =>
    call(`POST ${GENERAL}/messages`, { headers, body: `content=${idOf(i)}&junk=${junk(60)}` });
  expect(await bytesLeft(message)).toBeLessThan(20_000);
  const reason = (i: number) =>
    ask(`PATCH ${GENERAL}`, { topic: idOf(i) }, { 'x-audit-log-reason': idOf(i) + junk(14) });
  expect(await bytesLeft(reason)).toBeLessThan(9000);
});

it.each(['', 'short', 'letters of one byte each: é', 'letters of two: 🦦 ☂', 'half of a pair: \ud83e'])(
  'ownText of %j returns the same text',
  (text) => {
    expect(ownText(text)).toBe(text);
  },
);
