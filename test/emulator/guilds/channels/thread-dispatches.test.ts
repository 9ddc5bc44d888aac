import { expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { listeningBot } from '../../../helpers/gateway-listener.ts';
import { APP } from '../../../helpers/platform.ts';

const GENERAL = `/channels/${ids.general}`;

const namesOf = (heard: readonly { readonly event: string }[]) => heard.map(({ event }) => event);

it('a bot that joins a public thread receives the thread', async () => {
  const { done, heard } = await listeningBot();
  const { id } = await done(`POST ${GENERAL}/threads`, { name: 'tide', type: 11 });
  expect(namesOf(heard()).filter((name) => name === 'THREAD_CREATE')).toHaveLength(1);
  await done(`DELETE /channels/${id}/thread-members/@me`);
  heard();
  await done(`PUT /channels/${id}/thread-members/@me`);
  const joined = heard();
  const [created] = joined;
  expect(namesOf(joined)).toEqual(['THREAD_CREATE', 'THREAD_MEMBER_UPDATE', 'THREAD_MEMBERS_UPDATE']);
  expect(created?.data).toMatchObject({ id, name: 'tide', member: { user_id: APP } });
  expect(created?.data).not.toHaveProperty('newly_created');
  await done(`PUT /channels/${id}/thread-members/${ids.otter}`);
  expect(namesOf(heard())).toEqual(['THREAD_MEMBERS_UPDATE']);
});

it.each([
  ['by hand', 'PATCH', '', { archived: false }],
  ['by a message', 'POST', '/messages', { content: 'awake' }],
])('members of a thread that is unarchived %s receive their membership', async (_, method, path, json) => {
  const { done, heard } = await listeningBot();
  const { id } = await done(`POST ${GENERAL}/threads`, { name: 'tide', type: 11 });
  await done(`PATCH /channels/${id}`, { archived: true });
  heard();
  await done(`${method} /channels/${id}${path}`, json);
  const opened = heard();
  expect(namesOf(opened).slice(0, 2)).toEqual(['THREAD_UPDATE', 'THREAD_MEMBER_UPDATE']);
  expect(opened[0]?.data).toMatchObject({ id, thread_metadata: { archived: false } });
  expect(opened[1]?.data).toMatchObject({ id, user_id: APP, guild_id: ids.riverBank });
});

it('unarchiving a thread sends no membership to a bot that is not a member of the thread', async () => {
  const { done, heard } = await listeningBot();
  const { id } = await done(`POST ${GENERAL}/threads`, { name: 'tide', type: 11 });
  await done(`DELETE /channels/${id}/thread-members/@me`);
  await done(`PATCH /channels/${id}`, { archived: true });
  heard();
  await done(`PATCH /channels/${id}`, { archived: false });
  expect(namesOf(heard())).not.toContain('THREAD_MEMBER_UPDATE');
});
