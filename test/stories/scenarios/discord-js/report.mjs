import { ApplicationCommandType } from 'discord.js';

export const commands = [
  { name: 'Report', type: ApplicationCommandType.Message },
  { name: 'Who is it?', type: ApplicationCommandType.User },
];

export function register(client) {
  client.on('interactionCreate', async (interaction) => {
    if (interaction.isMessageContextMenuCommand()) {
      const { targetMessage, user, guild } = interaction;
      const log = guild.channels.cache.find(({ name }) => name === 'log');
      await log.send(`${user.username} reports ${targetMessage.author.username}: ${targetMessage.content}`);
      await interaction.reply({ content: 'Thank you, moderators look at it.', flags: 'Ephemeral' });
    } else if (interaction.isUserContextMenuCommand()) {
      const roles = interaction.targetMember.roles.cache.map(({ name }) => name).join(', ');
      await interaction.reply({
        content: `${interaction.targetUser.username}: ${roles}`,
        flags: 'Ephemeral',
      });
    }
  });
}
