import { GuildScheduledEventEntityType, GuildScheduledEventPrivacyLevel } from 'discord.js';

export const commands = [
  {
    name: 'meeting',
    description: 'Plans a meeting',
    options: [
      { type: 3, name: 'what', description: 'What for', required: true },
      { type: 4, name: 'hours', description: 'From now', required: true },
    ],
  },
];

const HOUR = 3_600_000;

export function register(client) {
  client.on('interactionCreate', async (interaction) => {
    if (interaction.commandName !== 'meeting') return;
    const start = interaction.createdTimestamp + interaction.options.getInteger('hours') * HOUR;
    const event = await interaction.guild.scheduledEvents.create({
      name: interaction.options.getString('what'),
      scheduledStartTime: start,
      scheduledEndTime: start + HOUR,
      entityType: GuildScheduledEventEntityType.External,
      entityMetadata: { location: 'The shed' },
      privacyLevel: GuildScheduledEventPrivacyLevel.GuildOnly,
    });
    await interaction.reply(`${event.name} is planned.`);
  });
  client.on('guildScheduledEventUserAdd', async (event, user) => {
    const { name, userCount } = await event.guild.scheduledEvents.fetch({
      guildScheduledEvent: event.id,
      withUserCount: true,
      force: true,
    });
    const channel = event.guild.channels.cache.find((one) => one.name === 'general');
    await channel.send(`${user} comes to ${name}, ${userCount} so far.`);
  });
}
