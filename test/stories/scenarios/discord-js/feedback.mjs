export const commands = [{ name: 'feedback', description: 'Tells the committee what you think' }];

const field = (custom_id, label, style) => ({
  type: 1,
  components: [{ type: 4, custom_id, label, style, required: true }],
});

export function register(client) {
  client.on('interactionCreate', async (interaction) => {
    if (interaction.commandName === 'feedback')
      await interaction.showModal({
        custom_id: 'feedback',
        title: 'Feedback',
        components: [field('subject', 'What about?', 1), field('text', 'Tell us more', 2)],
      });
    else if (interaction.isModalSubmit() && interaction.customId === 'feedback') {
      const log = interaction.guild.channels.cache.find(({ name }) => name === 'log');
      await interaction.deferReply({ flags: 'Ephemeral' });
      await log.send({
        embeds: [
          {
            title: interaction.fields.getTextInputValue('subject'),
            description: interaction.fields.getTextInputValue('text'),
            footer: { text: `by ${interaction.user.username}` },
          },
        ],
      });
      await interaction.editReply('The committee has it. Thank you!');
    }
  });
}
