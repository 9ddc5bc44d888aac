import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { chromiumMissing } from '../../../helpers/chromium.ts';
import { FRAME, press, useAll } from '../controls.ts';
import { BUGREPORT, opened } from '../opened.ts';

const missing = chromiumMissing();

describe.skipIf(missing !== undefined)(
  `each control of the console page works:${missing ?? ''}`,
  { timeout: 180_000 },
  () => {
    it('of the doctor', async () => {
      const console = await opened();
      const { page, view, complaints } = console;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await view('doctor');
      await page.getByText('1 failed, 1 warning').waitFor();
      await page.getByText(`About the bridge that runs: version`).waitFor();
      expect(await page.locator('main').textContent()).toContain(`pid ${process.pid}`);
      const left = await useAll(page, [
        ...FRAME,
        [
          /^button Cop(y|ied): /,
          async () => {
            // What is wrong comes first; each remedy that is a command can be copied.
            const checks = page.locator('.check:visible strong');
            expect(await checks.allTextContents()).toEqual(['bridge', 'data-folder']);
            await press(console, 'Copy: chmod 0700 /data');
            await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('chmod 0700 /data');
          },
        ],
        [
          /^summary /,
          async () => {
            expect(await page.getByText('Node is there').isVisible()).toBe(false);
            await page.getByText('1 fine', { exact: true }).click();
            expect(await page.getByText('Node is there').isVisible()).toBe(true);
          },
        ],
        [
          /^button Look again$/,
          async () => {
            const answered = page.waitForResponse(/\/doctor$/);
            await press(console, 'Look again');
            expect((await answered).ok()).toBe(true);
          },
        ],
        [
          /^button Download a bug report$/,
          async () => {
            const downloading = page.waitForEvent('download');
            await press(console, 'Download a bug report');
            const download = await downloading;
            expect(download.suggestedFilename()).toBe(BUGREPORT.name);
            expect(await readFile(await download.path(), 'utf8')).toBe(BUGREPORT.text);
          },
        ],
      ]);
      expect(left).toEqual([]);
      expect(complaints).toEqual([]);
    });
  },
);
