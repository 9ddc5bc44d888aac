import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { startEmulator, type TestEmulator } from '../../../src/testing/testing.ts';
import { fakeIo } from '../../cli/fake-io.ts';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { addBot, botToken } from '../../helpers/gateway-bot.ts';
import { animatedGif } from '../../helpers/gif.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const missing = chromiumMissing();
const APP = '300000000000000001';
const size = (png: Uint8Array): readonly number[] => {
  const { width, height } = PNG.sync.read(Buffer.from(png));
  return [width, height];
};
/** Number of pixels of a colour (0xRRGGBB). */
function coloured(png: Uint8Array, colour: number): number {
  const { data } = PNG.sync.read(Buffer.from(png));
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (data.readUIntBE(at, 3) === colour) count += 1;
  return count;
}
/** Profiles of browsers that this process has started. */
const profiles = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`footbridge-picture-${process.pid}-`));

async function bridgeWithMessage(): Promise<{ readonly bridge: TestEmulator; readonly message: string }> {
  const bridge = await startEmulator();
  onTestFinished(() => bridge.close());
  await bridge.clock.set(new Date('2030-01-01T12:30:00Z'));
  await bridge.clock.freeze();
  const { id } = await bridge.operations.call('channel.say', {
    channel: 'general',
    text: 'The *ferry* is late',
  });
  return { bridge, message: id };
}

describe.skipIf(missing !== undefined)(`a picture${missing === undefined ? '' : ` (${missing})`}`, () => {
  it('has the same bytes in two bridges and with two browsers, and others for another text', async () => {
    const first = await bridgeWithMessage();
    const second = await bridgeWithMessage();
    const png = await first.bridge.picture(first.message);
    expect(size(png)[0]).toBe(600);
    expect(Buffer.from(await first.bridge.picture(first.message)).equals(png)).toBe(true);
    expect(Buffer.from(await second.bridge.picture(second.message)).equals(png)).toBe(true);
    await second.bridge.operations.call('message.edit', { id: second.message, text: 'The *ferry* is gone' });
    const changed = await second.bridge.picture(second.message);
    expect(Buffer.from(changed).equals(png)).toBe(false);
  });

  it('is as wide as asked for, dark or light, of the message alone or of a window', async () => {
    const { bridge, message } = await bridgeWithMessage();
    const surface = await bridge.picture(message, { width: 360 });
    const [width, height = 0] = size(surface);
    expect(width).toBe(360);
    expect(height).toBeLessThan(120);
    expect(size(await bridge.picture(message, { width: 360, part: 'viewport' }))).toEqual([360, 600]);
    const dark = await bridge.picture(message, { width: 360, theme: 'dark' });
    expect(size(dark)).toEqual([360, height]);
    const corner = (png: Uint8Array): number => PNG.sync.read(Buffer.from(png)).data.readUInt8(0);
    expect([corner(surface) > 200, corner(dark) < 60]).toEqual([true, true]);
  });

  it('shows the whole of a message that is higher than the window', async () => {
    const { bridge } = await bridgeWithMessage();
    const text = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n');
    const { id } = await bridge.operations.call('channel.say', { channel: 'general', text });
    const [, height = 0] = size(await bridge.picture(id));
    expect(height).toBeGreaterThan(900);
  });

  it('shows the first frame of an animated file, and UTC, whenever it is taken', async () => {
    const { bridge } = await bridgeWithMessage();
    await addBot(bridge, APP, '400000000000000001', []);
    const form = new FormData();
    form.set('payload_json', JSON.stringify({ content: '<t:1893502800:t>' }));
    const gif = new Uint8Array(animatedGif(64, [0xff0000, 0x0000ff]));
    form.set('files[0]', new Blob([gif], { type: 'image/gif' }), 'flag.gif');
    const response = await fetch(`${bridge.api}/v10/channels/500000000000000002/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${botToken(APP)}` },
      body: form,
    });
    const { id } = (await response.json()) as { readonly id: string };
    const first = await bridge.picture(id);
    expect([coloured(first, 0xff0000) > 500, coloured(first, 0x0000ff)]).toEqual([true, 0]);
    for (let again = 0; again < 4; again += 1)
      expect(Buffer.from(await bridge.picture(id)).equals(first)).toBe(true);
  });

  it('is refused for a message that is not there, before a browser starts, and for options that it does not have', async () => {
    const { bridge, message } = await bridgeWithMessage();
    await expect(bridge.picture('1')).rejects.toMatchObject({
      message: expect.stringContaining('1') as string,
    });
    expect(profiles()).toEqual([]);
    await expect(bridge.picture(message, { wide: 3 } as never)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ARGUMENTS',
      message: 'picture: there is no option "wide". Did you mean "width"? It takes as, part, theme, width.',
    });
    await expect(bridge.picture(message, { width: 20 })).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ARGUMENTS',
    });
  });

  it('leaves no profile and no browser when the bridge is closed', async () => {
    const { bridge, message } = await bridgeWithMessage();
    await bridge.picture(message);
    const [profile = ''] = profiles();
    expect(existsSync(join(tmpdir(), profile))).toBe(true);
    await bridge.close();
    expect(profiles()).toEqual([]);
    expect(commandLines().filter((line) => line.includes(profile))).toEqual([]);
  });

  it('is drawn again after somebody has ended the browser', async () => {
    const { bridge, message } = await bridgeWithMessage();
    const png = await bridge.picture(message);
    const [profile = ''] = profiles();
    const browser = Number(
      processes().find(([, line]) => line.includes(profile) && !line.includes('--type='))?.[0],
    );
    process.kill(browser, 'SIGKILL');
    await expect.poll(() => commandLines().some((line) => line.includes(profile))).toBe(false);
    await bridge.picture(message).catch(() => undefined);
    expect(Buffer.from(await bridge.picture(message)).equals(png)).toBe(true);
  });

  it('is written by the command with the bytes that the library returns', async () => {
    const { bridge, message } = await bridgeWithMessage();
    const file = join(temporaryFolder(), 'reply.png');
    const io = fakeIo({ ...bridge.env, PATH: process.env['PATH'] ?? '' });
    expect(await runProgram(['emulator', 'picture', message, file, '--json'], commandTable, io)).toBe(0);
    const png = await bridge.picture(message);
    expect(readFileSync(file).equals(png)).toBe(true);
    expect(JSON.parse(io.stdout())).toMatchObject({
      file,
      width: 600,
      height: size(png)[1],
      browser: expect.stringMatching(/^\w+\/\d+/) as string,
      sandboxed: process.getuid?.() !== 0,
    });
  });
});

function processes(): readonly (readonly [string, string])[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return [pid, readFileSync(`/proc/${pid}/cmdline`, 'utf8')] as const;
      } catch {
        return [pid, ''] as const;
      }
    });
}

function commandLines(): readonly string[] {
  return processes().map(([, line]) => line);
}
