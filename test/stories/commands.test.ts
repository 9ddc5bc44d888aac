// Commands as the builders of discord.js write them, sent by @discordjs/rest: nothing patched.
import { DiscordAPIError, REST } from '@discordjs/rest';
import {
  type APIApplicationCommand,
  ApplicationCommandType,
  ChannelType,
  ContextMenuCommandBuilder,
  InteractionContextType,
  PermissionFlagsBits,
  Routes,
  SlashCommandBuilder,
} from 'discord.js';
import { expect, it } from 'vitest';
import { APP, botToken, story } from './story.ts';

const built = () => [
  new SlashCommandBuilder()
    .setName('ferry')
    .setNameLocalization('de', 'fähre')
    .setDescription('When it leaves.')
    .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
    .setContexts(InteractionContextType.Guild, InteractionContextType.BotDM)
    .addStringOption((option) =>
      option
        .setName('pier')
        .setDescription('Which one.')
        .setRequired(true)
        .addChoices({ name: 'Old', value: 'old' }),
    )
    .addIntegerOption((option) =>
      option.setName('days').setDescription('How many.').setMinValue(1).setMaxValue(7),
    )
    .addStringOption((option) =>
      option.setName('boat').setDescription('Which.').setAutocomplete(true).setMaxLength(20),
    )
    .addChannelOption((option) =>
      option.setName('where').setDescription('To tell.').addChannelTypes(ChannelType.GuildText),
    )
    .addAttachmentOption((option) => option.setName('chart').setDescription('A map.'))
    .addMentionableOption((option) => option.setName('whom').setDescription('For.')),
  new SlashCommandBuilder()
    .setName('crew')
    .setDescription('Who sails.')
    .addSubcommand((sub) => sub.setName('list').setDescription('All of them.'))
    .addSubcommandGroup((group) =>
      group
        .setName('role')
        .setDescription('What they do.')
        .addSubcommand((sub) =>
          sub
            .setName('add')
            .setDescription('One more.')
            .addUserOption((option) => option.setName('who').setDescription('Whom.').setRequired(true)),
        ),
    ),
  new ContextMenuCommandBuilder().setName('Wave at').setType(ApplicationCommandType.User),
  new ContextMenuCommandBuilder().setName('Bottle it').setType(ApplicationCommandType.Message),
];

it('a bot registers commands made by the builders of discord.js, and reads them back unchanged [W-3, L-2]', async () => {
  const { api } = await story();
  const rest = new REST({ api, version: '10' }).setToken(botToken());
  const body = built().map((one) => one.toJSON());
  const all = (await rest.put(Routes.applicationCommands(APP), { body })) as APIApplicationCommand[];
  expect(all.map(({ name, type }) => [name, type])).toEqual([
    ['ferry', 1],
    ['crew', 1],
    ['Wave at', 2],
    ['Bottle it', 3],
  ]);
  const again = (await rest.put(Routes.applicationCommands(APP), { body })) as APIApplicationCommand[];
  expect(again).toEqual(all);
  const listed = await rest.get(`${Routes.applicationCommands(APP)}?with_localizations=true`);
  expect(listed).toEqual(all);
  expect(all[0]).toMatchObject({ name_localizations: { de: 'fähre' }, default_member_permissions: '32' });
  const wrong = rest.post(Routes.applicationCommands(APP), { body: { ...body[0], name: 'Ferry' } });
  const error = await wrong.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DiscordAPIError);
  expect((error as Error).message).toContain(
    'name[APPLICATION_COMMAND_INVALID_NAME]: Command name is invalid',
  );
});
