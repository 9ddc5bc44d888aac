export function register(client) {
  client.on('guildMemberAdd', async (member) => {
    const channel = member.guild.channels.cache.find(({ name }) => name === 'general');
    await channel.send({
      embeds: [
        { title: 'Welcome!', description: `${member} is gardener number ${member.guild.memberCount}.` },
      ],
    });
    await member.send(`Hello ${member.user.username}, please read the rules.`);
  });
  client.on('guildMemberRemove', async (member) => {
    const log = member.guild.channels.cache.find(({ name }) => name === 'log');
    await log.send(`${member.user.username} has left.`);
  });
}
