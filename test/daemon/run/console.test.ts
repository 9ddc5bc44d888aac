import { expect, it } from 'vitest';
import { ask, ownLines, targetOf } from '../../console/door.ts';
import { bridgeRun } from '../../helpers/bridge-run.ts';

const REPORT = { name: 'footbridge-bugreport.txt', text: 'a report' };
const on = { FOOTBRIDGE_CONSOLE: 'true' };

/** A run with its console, opened in a browser. */
async function opened() {
  const run = await bridgeRun({
    env: on,
    reports: { doctor: async () => ({ checks: ['all well'] }), bugreport: async () => REPORT },
  });
  const { url } = (await run.control.call('console.address')) as { readonly url: string };
  const port = Number(new URL(url).port);
  const { head } = await ask(port, `GET ${targetOf(url)}`);
  const [, cookie] = /^set-cookie: ([^;]+);/im.exec(head) ?? [];
  const lines = [`Cookie: ${cookie}`, 'Connection: close', ...ownLines(port)];
  return {
    run,
    url,
    port,
    get: async (path: string) => JSON.parse((await ask(port, `GET ${path}`, lines)).body) as unknown,
    post: async (path: string, args: object) =>
      JSON.parse((await ask(port, `POST ${path}`, lines, JSON.stringify(args))).body) as unknown,
  };
}

it('a bridge without the setting serves no console', async () => {
  const run = await bridgeRun();
  await expect(run.control.call('console.address')).rejects.toMatchObject({
    message: expect.stringContaining('console.address'),
  });
});

it('the console of a bridge answers with what the bridge itself says', async () => {
  const { run, get, post } = await opened();
  expect(await get('/status')).toMatchObject({ pid: process.pid, core: { name: 'emulator' } });
  const operations = (await get('/operations')) as { readonly name: string }[];
  expect(operations.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'summary',
      'origins.list',
      'endpoints.open',
      'journal.read',
      'console.address',
      'fault.add',
    ]),
  );
  expect(operations).toEqual(await run.control.operations());
  expect(await get('/operations/summary')).toEqual(await run.control.operation('summary'));
  expect(await post('/call/summary', {})).toEqual(await run.control.call('summary'));
  expect(await post('/doctor', {})).toEqual({ checks: ['all well'] });
  expect(await post('/bugreport', {})).toEqual(REPORT);
});

it('the console has one port, and an address that opens it once', async () => {
  const { run, url, port } = await opened();
  const { url: next } = (await run.control.call('console.address')) as { readonly url: string };
  expect(new URL(next).port).toBe(String(port));
  expect(next).not.toBe(url);
  expect((await ask(port, `GET ${targetOf(url)}`, ['Connection: close'])).head).not.toMatch(/^set-cookie/im);
});

it('the console ends with the bridge', async () => {
  const { run, port } = await opened();
  await run.stop();
  await run.result;
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});

it('a bridge whose console nobody has opened ends without a fault', async () => {
  const run = await bridgeRun({ env: on });
  expect(await run.stop()).toBe('exit 0');
  expect(run.log().filter(({ level }) => level === 'error')).toEqual([]);
});
