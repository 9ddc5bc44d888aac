export const commands = [{ name: 'solved', description: 'Closes the thread' }];

export function register(client) {
  client.on('messageCreate', async (message) => {
    if (message.author.bot || message.channel.name !== 'help' || !message.content.endsWith('?')) return;
    const thread = await message.startThread({ name: message.content.slice(0, -1) });
    await thread.send('Somebody will help you. Use /solved when it is.');
  });
  client.on('interactionCreate', async (interaction) => {
    if (interaction.commandName !== 'solved') return;
    await interaction.reply('Solved.');
    await interaction.channel.edit({ archived: true, locked: true });
  });
}
