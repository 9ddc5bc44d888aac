export const commands = [
  {
    name: 'giveaway',
    description: 'Gives something away',
    default_member_permissions: '8192',
    options: [{ type: 3, name: 'prize', description: 'What', required: true }],
  },
];

const buttons = [
  { type: 2, style: 3, label: 'Take part', custom_id: 'giveaway-enter' },
  { type: 2, style: 4, label: 'Draw', custom_id: 'giveaway-draw' },
];
const entries = new Map();

export function register(client) {
  client.on('interactionCreate', async (interaction) => {
    if (interaction.commandName === 'giveaway') {
      const content = `Who wants ${interaction.options.getString('prize')}? 0 take part.`;
      const reply = await interaction.reply({
        content,
        components: [{ type: 1, components: buttons }],
        withResponse: true,
      });
      entries.set(reply.resource.message.id, new Set());
    } else if (interaction.customId === 'giveaway-enter') {
      const users = entries.get(interaction.message.id);
      users.add(interaction.user.id);
      const content = interaction.message.content.replace(/\d+ take part/, `${users.size} take part`);
      await interaction.update({ content });
    } else if (interaction.customId === 'giveaway-draw') {
      if (!interaction.memberPermissions.has('ManageMessages')) {
        await interaction.reply({ content: 'Only moderators draw.', flags: 'Ephemeral' });
        return;
      }
      const [winner] = entries.get(interaction.message.id);
      await interaction.deferUpdate();
      await interaction.message.edit({ content: `<@${winner}> has won.`, components: [] });
      await interaction.followUp(`Congratulations, <@${winner}>!`);
    }
  });
}
