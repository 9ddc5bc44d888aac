import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { startEmulator, type TestEmulator, type TestWorld } from '../../src/testing/testing.ts';
import { fakeIo } from './fake-io.ts';

let bridge: TestEmulator;
let world: TestWorld;
beforeAll(async () => {
  bridge = await startEmulator();
  world = await bridge.world({ name: 'checkout' });
  await world.users.create({ username: 'pike' });
});
afterAll(() => bridge.close());

/** Runs a command line next to the bridge. */
async function run(line: string, more: Readonly<Record<string, string>> = {}) {
  const io = fakeIo({ ...bridge.env, ...more });
  const code = await runProgram(line.split(' '), commandTable, io);
  return { code, out: io.stdout(), err: io.stderr() };
}

const PIKE = /"username": ?"pike"/;

describe('the world of a command', () => {
  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['emulator show --json', {}, false],
    ['--world checkout emulator show --json', {}, true],
    ['emulator show --json --world checkout', {}, true],
    ['emulator --world=checkout show --json', {}, true],
    ['emulator show --json', { FOOTBRIDGE_WORLD: 'checkout' }, true],
    ['emulator show --json', { FOOTBRIDGE_WORLD: '' }, false],
    // The option counts, not the variable.
    ['emulator show --json --world checkout', { FOOTBRIDGE_WORLD: 'other' }, true],
  ])('is that of the option, or of the variable: %s %j', async (line, env, isThere) => {
    const { code, out, err } = await run(line, env);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(PIKE.test(out)).toBe(isThere);
  });

  it('is none for commands on worlds, and for those of the whole bridge', async () => {
    const { out } = await run('emulator world list --json', { FOOTBRIDGE_WORLD: 'nowhere' });
    expect(JSON.parse(out)).toMatchObject([{ name: 'checkout', api: world.api }]);
    expect((await run('endpoints --json', { FOOTBRIDGE_WORLD: 'nowhere' })).code).toBe(0);
  });

  it('has its own status, and variables with an endpoint', async () => {
    expect(JSON.parse((await run('--world checkout status --json')).out)).toMatchObject({
      core: { name: 'emulator', api: world.api },
      further: [],
      sessions: [],
    });
    const { out } = await run('--world checkout env --json');
    expect(JSON.parse(out)).toMatchObject({
      FOOTBRIDGE_WORLD: 'checkout',
      FOOTBRIDGE_API: world.api,
      FOOTBRIDGE_ENDPOINT: world.endpoint,
      FOOTBRIDGE_CONTROL: bridge.env['FOOTBRIDGE_CONTROL'],
    });
    // A program with these variables, such as one behind "exec", finds the bridge and its world.
    const inside = await run('emulator show --json', JSON.parse(out) as Record<string, string>);
    expect(inside.out).toMatch(PIKE);
  });

  it.each([
    [
      'emulator show --world chekout',
      'There is no world "chekout". Did you mean "checkout"? Worlds: checkout.',
    ],
    ['--world a/b emulator show', 'There is no world "a/b". Worlds: checkout.'],
    [
      '--world checkout run',
      '"footbridge run" concerns the whole bridge, so it has no --world. Try: footbridge run --help',
    ],
    [
      '--world checkout emulator world list',
      '"footbridge emulator world list" concerns the whole bridge, so it has no --world. Try: footbridge emulator world list --help',
    ],
    [
      'emulator show --world',
      '--world needs a value, NAME: the name of a world, as "footbridge emulator world list" shows it. Try: footbridge --help',
    ],
    [
      'emulator show --world=',
      '--world needs a value, NAME: the name of a world, as "footbridge emulator world list" shows it. Try: footbridge --help',
    ],
    ['--world a emulator show --world b', '--world is given more than once. Try: footbridge --help'],
    [
      'emulator world add checkout',
      'There is a world "checkout" already. Remove it first, or take another name.',
    ],
    [
      'emulator world add Check',
      '"Check" is no name of a world: 1 to 32 small letters, digits and "-", not "-" first, and not "emulator".',
    ],
    [
      'emulator world remove checkuot',
      'There is no world "checkuot". Did you mean "checkout"? Worlds: checkout.',
    ],
  ])('is refused in one line: %s', async (line, message) => {
    const { code, out, err } = await run(line);
    expect({ out, err }).toEqual({ out: '', err: `footbridge: ${message}\n` });
    expect(code).not.toBe(0);
  });

  it('leaves alone what stands behind --', async () => {
    const { code } = await run(
      'exec -- node -e process.exit(+!process.argv.includes("--world")) -- --world nowhere',
    );
    expect(code).toBe(0);
  });
});

it('the commands on worlds print what they did', async () => {
  const added = await run('emulator world add shop --endpoint');
  expect(added.out.split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
    'world: shop',
    `api: ${bridge.api.replace('/api', '/w/shop/api')}`,
    `gateway: ${bridge.api.replace('http', 'ws').replace('/api', '/w/shop/gateway')}`,
    `endpoint: ${bridge.folder}/footbridge-${process.getuid?.()}/w/shop/discord-ipc-0`,
    'bot token of Harbour Example: MzAwMDAwMDAwMDAwMDAwMDAx.shop.bot',
    'bot token of Lighthouse Example: MzAwMDAwMDAwMDAwMDAwMDAy.shop.bot',
    '',
  ]);
  expect((await run('emulator world list')).out).toMatch(
    /^shop {6}http:\S+\/w\/shop\/api {6}0 apps, 0 bots$/m,
  );
  expect((await run('emulator world seed shop')).out).toBe('A reset of shop returns to its present state.\n');
  expect((await run('emulator world reset shop')).out).toBe('Nothing was different.\n');
  await run('emulator voice set mute true --world shop');
  expect((await run('emulator world reset shop --events')).out).toBe('Back to the seed: 1 row changed.\n');
  expect((await run('emulator world remove shop')).out).toBe('shop is removed.\n');
});
