let webhook;

export function register(client) {
  client.on('messageCreate', async (message) => {
    if (message.author.bot || message.channel.name !== 'general') return;
    const log = message.guild.channels.cache.find(({ name }) => name === 'log');
    webhook ??= log.createWebhook({ name: 'mirror' });
    await (await webhook).send({ content: message.content, username: message.author.username });
  });
}
