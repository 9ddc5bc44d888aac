import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bridgeRun } from '../../helpers/bridge-run.ts';
import { rawPeer } from '../../helpers/raw-peer.ts';

const APP = '300000000000000001';
const ORIGIN = 'https://overlay.example';
const PAGE = { clientId: APP, origin: ORIGIN };

/** Status and CORS header of a page's request; `fetch` would take the Origin away. */
function asked(url: string, origin: string): Promise<readonly [number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { origin } }, (response) => {
      response.resume();
      response.on('end', () =>
        resolve([response.statusCode, response.headers['access-control-allow-origin']]),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('a page of an origin', () => {
  it('is refused at the port of the API until the user allows the origin', async () => {
    const run = await bridgeRun();
    const url = `${run.ready().api}/v10/users/@me`;
    const [, before] = await asked(url, ORIGIN);
    expect(before).toBeUndefined();
    expect((await run.control.status()).refused).toMatchObject([
      { why: 'origin', origin: ORIGIN, clientId: null, application: null, count: 1 },
    ]);
    await run.control.call('origins.add', PAGE);
    const [, after] = await asked(url, ORIGIN);
    expect(after).toBe(ORIGIN);
    expect((await run.control.status()).refused).toEqual([]);
    await run.control.call('origins.remove', PAGE);
    expect((await asked(url, ORIGIN))[1]).toBeUndefined();
  });

  it('is allowed by an application of the emulator, and only there that can be changed', async () => {
    const run = await bridgeRun();
    await run.control.call('emulator.apply', {
      patch: { applications: [{ id: APP, rpc_origins: [ORIGIN] }] },
    });
    expect(await run.control.call('origins.list')).toMatchObject({ origins: [], ofCore: [PAGE] });
    expect((await asked(`${run.ready().api}/v10/users/@me`, ORIGIN))[1]).toBe(ORIGIN);
    await expect(run.control.call('origins.remove', PAGE)).rejects.toMatchObject({
      message: `No entry lets ${ORIGIN} speak for ${APP}: the emulator itself allows it (rpc_origins of the application); change that there.`,
    });
    await expect(run.control.call('origins.remove', { ...PAGE, clientId: '7' })).rejects.toMatchObject({
      message: `No entry lets ${ORIGIN} speak for 7: "footbridge origins" lists those that may connect.`,
    });
  });

  it.each([
    ['add', { preset: 'nope' }, /^There is no preset "nope"\. Known: \w/],
    ['add', { clientId: 'x', origin: ORIGIN }, /./],
    ['add', { ...PAGE, origin: 'overlay.example' }, /./],
    ['remove', { ...PAGE, origin: 'nonsense' }, /./],
  ])('cannot be changed by origins.%s %j', async (name, args, text) => {
    const run = await bridgeRun();
    await expect(run.control.call(`origins.${name}`, args)).rejects.toMatchObject({
      message: expect.stringMatching(text),
    });
    expect(await run.control.call('origins.list')).toMatchObject({ origins: [] });
  });
});

it('the pages of a preset come and go together', async () => {
  const run = await bridgeRun();
  const { presets } = (await run.control.call('origins.list')) as {
    presets: { name: string; summary: string }[];
  };
  for (const { name, summary } of presets) {
    expect(summary).toMatch(/\w/);
    const { origins } = (await run.control.call('origins.add', { preset: name })) as { origins: object[] };
    expect(origins.length).toBeGreaterThan(0);
    expect(await run.control.call('origins.remove', { preset: name })).toMatchObject({ origins: [] });
    await expect(run.control.call('origins.remove', { preset: name })).rejects.toMatchObject({
      message: `No page of the preset "${name}" may connect. "footbridge origins" lists those that may.`,
    });
  }
});

it('a connection that has said nothing has no application in the status', async () => {
  const run = await bridgeRun();
  await rawPeer(join(run.place.folder, 'discord-ipc-0'));
  await expect
    .poll(async () => (await run.control.status()).sessions)
    .toMatchObject([{ clientId: null, application: null }]);
});

it('the console of a bridge that knows no caller opens as well', async () => {
  const run = await bridgeRun({ native: 'absent', env: { FOOTBRIDGE_CONSOLE: 'true' } });
  expect(await run.control.call('console.address')).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//),
  });
});
