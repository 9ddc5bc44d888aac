export const commands = [{ name: 'rank', description: 'Shows your level' }];

const STEP = 3;
const counts = new Map();
const levelOf = (id) => Math.floor((counts.get(id) ?? 0) / STEP);

export function register(client) {
  client.on('messageCreate', async (message) => {
    if (message.author.bot) return;
    const { id } = message.author;
    counts.set(id, (counts.get(id) ?? 0) + 1);
    if (counts.get(id) % STEP === 0) await message.reply(`Level ${levelOf(id)}, well done!`);
  });
  client.on('interactionCreate', async (interaction) => {
    if (interaction.commandName !== 'rank') return;
    const { id, username } = interaction.user;
    const fields = [
      { name: 'Level', value: String(levelOf(id)), inline: true },
      { name: 'Messages', value: String(counts.get(id) ?? 0), inline: true },
    ];
    await interaction.reply({ embeds: [{ title: username, fields }] });
  });
}
