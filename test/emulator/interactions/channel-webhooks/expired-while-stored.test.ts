import { afterEach, expect, it, vi } from 'vitest';
import { FileStore } from '../../../../src/emulator/files/store.ts';
import { usedPlatform } from '../../../helpers/used-application.ts';

const APP = '300000000000000777';

afterEach(() => void vi.restoreAllMocks());

/** A platform on which an answered command is removed with its application while a file is stored. */
async function interrupted() {
  const platform = await usedPlatform();
  const { use, answer, call, emulator } = platform;
  await emulator.apply({ applications: [{ id: APP, name: 'Tide table' }] });
  const used = use({ application: APP });
  await answer(used, { type: 4, data: { content: 'first' } });
  const address = `/webhooks/${APP}/${used.token}`;
  const { id } = (await call(`POST ${address}`, { json: { content: 'more' } })).body;
  const hold = Reflect.get(FileStore.prototype, 'hold') as FileStore['hold'];
  vi.spyOn(FileStore.prototype, 'hold').mockImplementation(async function (this: FileStore, bytes) {
    const held = await hold.call(this, bytes);
    emulator.reset();
    return held;
  });
  const send = (method: string, rest: string) => {
    const body = new FormData();
    body.append('payload_json', JSON.stringify({ content: 'late' }));
    body.append('files[0]', new Blob(['tide']), 'tide.txt');
    return call(`${method} ${address}${rest}`, { body });
  };
  return { send, id: id as string };
}

it.each([
  ['POST', ''],
  ['PATCH', '/messages/@original'],
  ['PATCH', '/messages/ID'],
])('%s %s is refused when its interaction goes while the files are stored', async (method, rest) => {
  const { send, id } = await interrupted();
  expect(await send(method, rest.replace('ID', id))).toMatchObject({
    status: 404,
    body: { message: 'Unknown Webhook', code: 10015 },
  });
});
