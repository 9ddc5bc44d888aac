import { ids } from '../../../helpers/emulator-world.ts';
import { inGuild } from '../../../helpers/guild-platform.ts';
import { APP, type PlatformRequest } from '../../../helpers/platform.ts';
import type { Asked } from './asked-messages.ts';

const ALL = `/applications/${APP}/commands`;
const GUILD = `/applications/${APP}/guilds/${ids.riverBank}/commands`;

/** A command with something of everything in it. */
const TIDE = {
  name: 'tide',
  description: 'When the water comes.',
  name_localizations: { de: 'flut' },
  options: [
    {
      type: 3,
      name: 'pier',
      description: 'Which one.',
      required: true,
      choices: [{ name: 'Old', value: 'o' }],
    },
    { type: 4, name: 'days', description: 'How many.', min_value: 1, max_value: 7 },
    { type: 11, name: 'chart', description: 'A map.', file_types: ['.PDF', 'image'] },
  ],
  default_member_permissions: '32',
  contexts: [0, 1],
  integration_types: [0, 1],
  nsfw: false,
};

/** Two commands, one of them the guild's own, with who may use them. */
const COMMANDS = {
  commands: [
    {
      id: '990',
      application: APP,
      name: 'ferry',
      description: 'When it leaves.',
      name_localizations: { de: 'faehre' },
    },
    { id: '991', application: APP, guild: ids.riverBank, name: 'Wave', type: 'user' },
  ],
  command_permissions: [
    {
      application: APP,
      guild: ids.riverBank,
      command: '991',
      permissions: [{ id: ids.otter, type: 'user', permission: true }],
    },
  ],
};

function asked(what: string, request: PlatformRequest = {}): Asked {
  return async (platform) => {
    const { emulator, bot } = await inGuild(platform, []);
    await emulator.apply(COMMANDS);
    return [what, { headers: bot(), ...request }];
  };
}

/** How each operation of commands is asked by somebody who may. */
export const commandAsked: Readonly<Record<string, Asked>> = {
  list_application_commands: asked(`GET ${ALL}?with_localizations=true`),
  create_application_command: asked(`POST ${ALL}`, { json: TIDE }),
  bulk_set_application_commands: asked(`PUT ${ALL}`, { json: [TIDE, { name: 'Greet', type: 3 }] }),
  get_application_command: asked(`GET ${ALL}/990`),
  update_application_command: asked(`PATCH ${ALL}/990`, { json: { ...TIDE, name: 'boat' } }),
  delete_application_command: asked(`DELETE ${ALL}/990`),
  list_guild_application_commands: asked(`GET ${GUILD}`),
  create_guild_application_command: asked(`POST ${GUILD}`, { json: TIDE }),
  bulk_set_guild_application_commands: asked(`PUT ${GUILD}`, { json: [TIDE] }),
  get_guild_application_command: asked(`GET ${GUILD}/991`),
  update_guild_application_command: asked(`PATCH ${GUILD}/991`, { json: { name: 'Greet' } }),
  delete_guild_application_command: asked(`DELETE ${GUILD}/991`),
  list_guild_application_command_permissions: asked(`GET ${GUILD}/permissions`),
  get_guild_application_command_permissions: asked(`GET ${GUILD}/991/permissions`),
  set_guild_application_command_permissions: async (platform) => {
    const [what] = await asked(`PUT ${GUILD}/990/permissions`)(platform);
    await platform.emulator.apply({ guilds: [{ id: ids.riverBank, owner: 'river' }] });
    const headers = await platform.bearer(['applications.commands.permissions.update']);
    const json = { permissions: [{ id: ids.otter, type: 2, permission: false }] };
    return [what, { headers, json }];
  },
};
