import { afterEach, expect, it, vi } from 'vitest';
import { FileStore } from '../../../src/emulator/files/store.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { guildPlatform, ROLES } from '../../helpers/guild-platform.ts';

const FORUM = '880';

afterEach(() => void vi.restoreAllMocks());

it.each([
  ['it is deleted', { channels: [{ id: FORUM, remove: true }] }, 404, 10003],
  ['the bot may no longer write there', { roles: [{ id: ROLES.own, permissions: [] }] }, 403, 50013],
  ['it requires a tag', { channels: [{ id: FORUM, flags: 16 }] }, 400, 40067],
])('a post is refused when, while its files are stored, %s', async (_, change, status, code) => {
  const { call, bot, guild, emulator } = await guildPlatform(['SEND_MESSAGES', 'ATTACH_FILES']);
  const everyone = { id: ids.riverBank, name: '@everyone', permissions: ['VIEW_CHANNEL'] };
  await guild({ roles: [everyone], channels: [{ id: FORUM, name: 'questions', type: 'forum' }] });
  const hold = Reflect.get(FileStore.prototype, 'hold') as FileStore['hold'];
  vi.spyOn(FileStore.prototype, 'hold').mockImplementation(async function (this: FileStore, bytes) {
    const held = await hold.call(this, bytes);
    await guild(change);
    return held;
  });
  const body = new FormData();
  body.append('payload_json', JSON.stringify({ name: 'When is the tide?', message: { content: 'See.' } }));
  body.append('files[0]', new Blob(['tide']), 'tide.txt');
  const answer = await call(`POST /channels/${FORUM}/threads`, { headers: bot(), body });
  expect(answer).toMatchObject({ status, body: { code } });
  expect([...emulator.tables.channels.by('parent', FORUM)]).toEqual([]);
});
