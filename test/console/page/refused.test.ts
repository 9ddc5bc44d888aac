import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { opened } from './opened.ts';

const APP = '300000000000000001';
const missing = chromiumMissing();

describe.skipIf(missing !== undefined)(`the console page${missing ?? ''}`, () => {
  it('lists a refused web page as a frame and in the overview, until the page is allowed', async () => {
    const { emulator, page, view } = await opened();
    const origin = 'https://overlay.example';
    const socket = new WebSocket(`${emulator.ws}/?v=1&client_id=${APP}`, { origin });
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(4001);
    const command = `footbridge origins add ${APP} ${origin}`;
    await view('overview');
    const table = page.getByRole('list', { name: 'Refused web pages' });
    await table.getByText(command).waitFor();
    expect(await table.textContent()).toContain(origin);
    await view('traffic');
    await page.getByRole('option').filter({ hasText: command }).first().waitFor();
    await emulator.operations.call('origins.add', { clientId: APP, origin });
    await view('overview');
    await table.waitFor({ state: 'detached' });
  });
});
