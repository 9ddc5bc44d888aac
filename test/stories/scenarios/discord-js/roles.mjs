export const commands = [{ name: 'roles', description: 'Puts the menu of roles here' }];

const NAMES = ['gardener', 'beekeeper'];

export function register(client) {
  client.on('interactionCreate', async (interaction) => {
    if (interaction.commandName === 'roles') {
      const options = NAMES.map((name) => ({ label: name, value: name }));
      const menu = { type: 3, custom_id: 'roles', min_values: 0, max_values: 2, options };
      await interaction.reply({ content: 'What do you do?', components: [{ type: 1, components: [menu] }] });
    } else if (interaction.customId === 'roles') {
      const roles = interaction.guild.roles.cache.filter(({ name }) => NAMES.includes(name));
      const chosen = roles.filter(({ name }) => interaction.values.includes(name));
      await interaction.member.roles.remove(roles.filter((role) => !chosen.has(role.id)));
      await interaction.member.roles.add(chosen);
      const names = interaction.values.join(' and ') || 'nothing';
      await interaction.reply({ content: `You are ${names} now.`, flags: 'Ephemeral' });
    }
  });
}
