const PLANTS = { Basil: 'Basilikum', Beetroot: 'Rote Bete', Carrot: 'Möhre', Celery: 'Sellerie' };

export const commands = [
  {
    name: 'plant',
    description: 'Says when to sow',
    options: [{ type: 3, name: 'name', description: 'The plant', required: true, autocomplete: true }],
  },
];

export function register(client) {
  client.on('interactionCreate', async (interaction) => {
    if (interaction.commandName !== 'plant') return;
    if (interaction.isAutocomplete()) {
      const typed = interaction.options.getFocused().toLowerCase();
      const names = Object.keys(PLANTS).filter((name) => name.toLowerCase().startsWith(typed));
      await interaction.respond(names.map((name) => ({ name, value: name.toLowerCase() })));
      return;
    }
    const value = interaction.options.getString('name');
    const name = Object.keys(PLANTS).find((one) => one.toLowerCase() === value);
    if (name === undefined)
      await interaction.reply({ content: `Nobody here grows ${value}.`, flags: 'Ephemeral' });
    else await interaction.reply(`${name} is ${PLANTS[name]}.`);
  });
}
