import { readFileSync, writeFileSync } from 'node:fs';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { type PicturedWorld, picturedWorld } from './messages.ts';

// The pictures beside this file were drawn by the browser and with the fonts that `drawn-with.json` names. With the variable
// REMAKE_PICTURES this test writes them again.

const missing = chromiumMissing();
const isRemade = process.env['REMAKE_PICTURES'] === '1';
const file = (name: string): URL => new URL(`expected/${name}`, import.meta.url);
/** Share of the pixels that may differ: another version of the browser may place a stroke otherwise. */
const MAX_SHARE = 0.005;

interface DrawnWith {
  readonly browser: string;
  readonly fonts: Readonly<Record<string, readonly string[]>>;
}
const NAMES = [
  'text',
  'code',
  'mentions',
  'embed',
  'attachment',
  'buttons',
  'layout',
  'poll',
  'reply',
  'forwarded',
];

describe.skipIf(missing !== undefined)(
  `the picture of a message${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let world: PicturedWorld;
    const drawn: { browser: string; fonts: Record<string, readonly string[]> } = { browser: '', fonts: {} };
    beforeAll(async () => {
      world = await picturedWorld();
    });
    afterAll(async () => {
      await world?.bridge.close();
      if (isRemade) writeFileSync(file('drawn-with.json'), `${JSON.stringify(drawn, null, 2)}\n`);
    });

    it('is there for each message of the world', () => {
      expect([...world.messages.keys()].sort()).toEqual([...NAMES].sort());
    });

    it.for(NAMES)('%s is the expected one', async (name, { skip }) => {
      const message = world.messages.get(name) ?? '';
      const { png, browser, fonts } = await world.bridge.operations.call('message.picture', { message });
      const bytes = Buffer.from(png, 'base64');
      drawn.browser = browser;
      drawn.fonts[name] = fonts;
      if (isRemade) {
        writeFileSync(file(`${name}.png`), bytes);
        return;
      }
      const expectedWith = JSON.parse(readFileSync(file('drawn-with.json'), 'utf8')) as DrawnWith;
      const expectedFonts = expectedWith.fonts[name] ?? [];
      if (expectedFonts.join() !== fonts.join())
        skip(`drawn with ${fonts.join(', ')}, expected with ${expectedFonts.join(', ')}`);
      const [is, should] = [PNG.sync.read(bytes), PNG.sync.read(readFileSync(file(`${name}.png`)))];
      expect([is.width, is.height]).toEqual([should.width, should.height]);
      const differing = pixelmatch(is.data, should.data, undefined, is.width, is.height);
      const most = browser === expectedWith.browser ? 0 : is.width * is.height * MAX_SHARE;
      expect(differing, `pixels of ${name}`).toBeLessThanOrEqual(most);
    });
  },
);
