import { MessageType } from 'discord.js';

export const commands = [
  {
    name: 'poll',
    description: 'Asks everyone',
    options: [
      { type: 3, name: 'question', description: 'What to ask', required: true },
      { type: 3, name: 'answers', description: 'Separated by commas', required: true },
      { type: 4, name: 'hours', description: 'How long', required: true },
    ],
  },
];

export function register(client) {
  client.on('interactionCreate', async (interaction) => {
    if (interaction.commandName !== 'poll') return;
    const { options } = interaction;
    const answers = options
      .getString('answers')
      .split(',')
      .map((text) => ({ text: text.trim() }));
    await interaction.reply({
      poll: {
        question: { text: options.getString('question') },
        answers,
        duration: options.getInteger('hours'),
        allowMultiselect: false,
      },
    });
  });
  client.on('messageCreate', async (message) => {
    if (message.type !== MessageType.PollResult) return;
    const { poll } = await message.fetchReference();
    const winner = [...poll.answers.values()].sort((a, b) => b.voteCount - a.voteCount)[0];
    await message.channel.send(`**${winner.text}** wins with ${winner.voteCount} votes.`);
  });
}
