import type { Page } from 'playwright-core';
import type { TestEmulator } from '../../../src/testing/testing.ts';
import { type Opened, opened } from './opened.ts';

/** Ids of the built-in fixture. */
export const APP = '300000000000000001';
export const GUILD = '400000000000000001';
export const GENERAL = '500000000000000002';
export const LOUNGE = '500000000000000005';

/** A console, and a bot's application that is a member of River Bank and may everything. */
export async function openedWithBot(): Promise<Opened & { readonly token: string }> {
  const console = await opened({ consent: 'ask' });
  const { operations } = console.emulator;
  await operations.call('emulator.apply', {
    patch: {
      users: [{ id: APP, username: 'harbour', bot: true }],
      applications: [{ id: APP, bot_user: APP, intents: ['message_content', 'guild_members'] }],
      guilds: [
        {
          id: GUILD,
          members: [{ user: APP, roles: ['900'] }],
          roles: [{ id: '900', name: 'Harbour', position: 5, permissions: ['ADMINISTRATOR'], bot: APP }],
        },
      ],
    },
  });
  return { ...console, token: tokenOf(APP) };
}

/** Token of an application's bot, as libraries send it. */
function tokenOf(application: string): string {
  return `${Buffer.from(application).toString('base64url')}.emulator.bot`;
}

/** Opens a channel as these users. */
export async function look(
  console: Pick<Opened, 'page' | 'origin'>,
  as: string,
  channel = GENERAL,
): Promise<void> {
  await console.page.goto(`${console.origin}/#/channels/${channel}?as=${as}`);
  for (const user of as.split(','))
    await pane(console.page, user).getByRole('heading', { level: 2 }).waitFor();
}

/** The pane of a user. */
export function pane(page: Page, user: string) {
  return page.getByRole('article', { name: new RegExp(` as ${user}$`) });
}

/** A message with this text in the pane of a user. */
export function message(page: Page, user: string, text: string | RegExp) {
  return pane(page, user).locator('article.message').filter({ hasText: text });
}

/** Writes a message, as a person does. */
export async function write(page: Page, user: string, text: string): Promise<void> {
  const field = pane(page, user).getByRole('textbox', { name: `Message as ${user}` });
  await field.fill(text);
  await field.press('Enter');
}

/** Last message of a channel, as the logged-in user sees it. */
export async function lastOf(emulator: TestEmulator, channel = GENERAL) {
  const { messages } = await emulator.operations.call('channel.view', { channel, limit: 1 });
  return messages[0]?.message;
}
