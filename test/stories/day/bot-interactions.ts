// What people do with the bot's buttons, commands and modals, and what they see of it.
import { expect } from 'vitest';
import { played } from '../bot-world.ts';
import { APP } from '../story.ts';
import type { BotParts } from './bot-parts.ts';
import { type BotStage, type Seen, WORLD } from './bot-stage.ts';
import type { Steps } from './day.ts';

const AT = { app: APP, channel: WORLD.general };

/** The steps in which a person acts. */
export const interactionSteps: Pick<
  Steps<BotStage, BotParts>,
  'components' | 'commands' | 'autocomplete' | 'modals' | 'commandFiles'
> = {
  async components({ emulator }, components) {
    const { id: message } = await components(WORLD.general);
    const choice = { message, select: 'port', values: ['Mouth'] };
    const chosen = await played(emulator, 'interaction.choose', choice);
    expect(chosen.message).toMatchObject({ content: 'To Mouth', ephemeral: true });
    const clicked = await played(emulator, 'interaction.click', { message, button: 'Sail' });
    expect(clicked.message).toMatchObject({ id: message, content: 'river sails', components: [] });
  },

  async commands({ emulator }, commands) {
    await commands(WORLD.guild);
    const options = { place: 'Mouth', who: WORLD.otter };
    const used = await played(emulator, 'interaction.use', { ...AT, command: '/tide', options });
    expect(used).toMatchObject({ state: 'answered', message: { content: 'Mouth for otter' } });
  },

  async autocomplete({ emulator }, listens) {
    await listens();
    const typed = { ...AT, command: '/tide', option: 'place', options: { place: 'H' } };
    expect(await played(emulator, 'interaction.autocomplete', typed)).toMatchObject({
      choices: [{ name: 'Harbour' }, { name: 'Headland' }],
    });
  },

  async modals({ emulator }, listens) {
    await listens();
    const log = await played(emulator, 'interaction.use', { ...AT, command: '/log' });
    expect(log.modal).toMatchObject({ title: 'The log' });
    const fields = { words: 'All well' };
    expect(await played(emulator, 'interaction.submit', { id: log.id, fields })).toMatchObject({
      message: { content: 'Written: All well' },
    });
  },

  async commandFiles({ emulator, look }, listens) {
    await listens();
    const data = Buffer.from('a map').toString('base64');
    const files = { file: { filename: 'bay.txt', data } };
    const used = await played(emulator, 'interaction.use', { ...AT, command: '/chart', files, wait: 10 });
    const { body } = await look(`/channels/${WORLD.general}/messages/${used.message.id}`);
    expect(body).toMatchObject({ content: 'Chart of bay.txt', attachments: [{ filename: 'chart.txt' }] });
    const fetched = await fetch((body as Seen).attachments[0].url);
    expect(await fetched.text()).toBe('shoals');
  },
};
