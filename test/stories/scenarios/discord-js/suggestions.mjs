export function register(client) {
  client.on('messageCreate', async (message) => {
    if (message.author.bot || message.channel.name !== 'suggestions') return;
    const post = await message.channel.send({
      embeds: [{ author: { name: message.author.username }, description: message.content }],
    });
    await message.delete();
    await post.react('👍');
    await post.react('👎');
    const thread = await post.startThread({ name: message.content.slice(0, 50) });
    await thread.send('What do you think?');
  });
}
