import { ChannelType, PermissionFlagsBits } from 'discord.js';

export const commands = [{ name: 'ticket', description: 'Puts a button for tickets here' }];

const row = (label, custom_id) => ({ type: 1, components: [{ type: 2, style: 1, label, custom_id }] });

export function register(client) {
  client.on('interactionCreate', async (interaction) => {
    if (interaction.commandName === 'ticket')
      await interaction.reply({
        content: 'Something is wrong in the garden?',
        components: [row('Open a ticket', 'ticket-open')],
      });
    else if (interaction.customId === 'ticket-open') {
      const channel = await interaction.guild.channels.create({
        name: `ticket-${interaction.user.username}`,
        type: ChannelType.GuildText,
        permissionOverwrites: [
          { id: interaction.guild.id, deny: [PermissionFlagsBits.ViewChannel] },
          { id: interaction.user.id, allow: [PermissionFlagsBits.ViewChannel] },
        ],
      });
      await interaction.reply({ content: `Your ticket is ${channel}.`, flags: 'Ephemeral' });
      await channel.send({
        content: `${interaction.user}, what is wrong?`,
        components: [row('Close', 'ticket-close')],
      });
    } else if (interaction.customId === 'ticket-close') {
      await interaction.reply(`Closed by ${interaction.user}.`);
      await interaction.channel.setName(interaction.channel.name.replace('ticket', 'closed'));
    }
  });
}
