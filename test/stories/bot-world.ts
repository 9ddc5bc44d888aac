import type { ArgumentsOf, Operations } from '../../src/control/generated.ts';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { APP, story } from './story.ts';

/** Ids of the built-in fixture. */
export const GUILD = '400000000000000001';
export const GENERAL = '500000000000000002';
export const OTTER = '200000000000000003';
export const RIVER = '200000000000000001';

/** A picture of one point. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A story whose bot is a member of River Bank that may everything, and reads what messages say. */
export async function botStory(): Promise<TestEmulator> {
  const emulator = await story();
  const guild = {
    id: GUILD,
    owner: 'heron',
    members: [{ user: APP, roles: ['900'] }],
    roles: [{ id: '900', name: 'Harbour', position: 5, permissions: ['ADMINISTRATOR'], bot: APP }],
  };
  const patch = {
    users: [{ id: APP, username: 'harbour', bot: true }],
    applications: [{ id: APP, bot_user: APP, intents: ['message_content', 'guild_members'] }],
    guilds: [guild],
  };
  await emulator.operations.call('emulator.apply', { patch });
  return emulator;
}

/** What a person sees of what they did with an application. */
export interface Shown {
  readonly id: string;
  readonly state: string;
  // A story knows what it looks at.
  // biome-ignore lint/suspicious/noExplicitAny: messages of every kind
  readonly message?: any;
  // biome-ignore lint/suspicious/noExplicitAny: modals of every kind
  readonly modal?: any;
  // biome-ignore lint/suspicious/noExplicitAny: messages of every kind
  readonly follow_ups: readonly any[];
}

type Playing = Extract<keyof Operations, `interaction.${string}`>;

/** A person uses, clicks, chooses or submits; what they see is read without its type. */
export async function played<Name extends Playing>(
  { operations }: TestEmulator,
  name: Name,
  ...args: ArgumentsOf<Name>
): Promise<Shown> {
  return (await operations.call(name, ...args)) as Shown;
}
