import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bridgeRun, runPlace } from '../../helpers/bridge-run.ts';
import { isLinux } from '../../helpers/fault-bridge.ts';
import { botToken } from '../../helpers/gateway-bot.ts';
import { GatewayConnection } from '../../helpers/gateway-connection.ts';

const APP = '300000000000000001';
const FEWER = 'fewer connections than configured: the limit of open files is too low';

describe('a limit of open files', () => {
  it.each([
    ['leaves 64 of them over', {}, '', 100, 36],
    ['gives each app of an upstream two', { FOOTBRIDGE_CORE: 'upstream' }, '', 100, 18],
    ['leaves two more over for each further endpoint', {}, 'endpoint', 100, 34],
    ['leaves 16 connections in any case', {}, '', 10, 16],
  ])('%s', async (_, env, toml, descriptorLimit, count) => {
    if (toml !== '' && !isLinux) return;
    const place = runPlace();
    const further = `[[endpoints]]\nname = "box"\npath = "${join(place.folder, 'box', 'discord-ipc-0')}"\n`;
    const run = await bridgeRun({ place, env, descriptorLimit, toml: toml === '' ? '' : further });
    expect(run.log(FEWER)).toEqual([{ level: 'warn', count, msg: FEWER }]);
  });

  it.each([
    ['that is enough', { descriptorLimit: 100 }],
    ['that the system does not report', {}],
  ])('%s changes nothing', async (_, limit) => {
    const run = await bridgeRun({ ...limit, toml: '[limits]\nconnections = 36\n' });
    expect(run.log(FEWER)).toEqual([]);
  });

  it('is told again at a reload', async () => {
    const run = await bridgeRun({
      descriptorLimit: 100,
      env: { INVOCATION_ID: 'x' },
      toml: '[limits]\nconnections = 36\n',
    });
    run.place.configure('[limits]\nconnections = 37\n');
    run.process.emit('SIGHUP');
    await expect.poll(() => run.log(FEWER)).toMatchObject([{ count: 36 }]);
  });

  it.each([
    ['8 bots', {}, 8],
    ['4 bots beside its own console', { FOOTBRIDGE_CONSOLE: 'true' }, 4],
    ['8 bots of a fallback', { FOOTBRIDGE_CORE: 'upstream', FOOTBRIDGE_FALLBACK: 'emulator' }, 8],
  ])('of 100 leaves the gateway %s', async (_, env, bots) => {
    const run = await bridgeRun({ env, descriptorLimit: 100 });
    const connect = () => new GatewayConnection(run.ready().api ?? '');
    for (let i = 0; i < bots; i += 1) await connect().identify(botToken(APP));
    const full = connect();
    await expect(full.identify(botToken(APP))).rejects.toThrow();
    expect(await full.closed).toMatchObject({ code: 4000 });
  });
});
