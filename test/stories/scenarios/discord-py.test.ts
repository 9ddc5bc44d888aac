import { withoutPackages } from '../../system/debian.ts';
import { tellFaults } from './scenarios.ts';

tellFaults(
  {
    folder: 'discord-py',
    ending: '.py',
    shown: { source: 'bot.py', language: 'py' },
    command: () => ['/usr/bin/python3', 'bot.py'],
    without: withoutPackages({ 'python3-discord': '/usr/lib/python3/dist-packages/discord/__init__.py' }),
  },
  [
    {
      what: 'lets everyone send others out',
      file: 'moderation',
      code: ['    @app_commands.checks.has_permissions(moderate_members=True)\n', ''],
      report: [
        '/timeout by ben',
        'PATCH /api/v10/guilds/Allotments/members/@cleo 200, sent communication_disabled_until=',
      ],
    },
    {
      what: 'forgets to acknowledge a command before it follows up',
      file: 'music',
      code: ['        await interaction.response.defer()\n', ''],
      report: [
        'Helper did not answer',
        '/skip by ben',
        '404, sent content="Now: Strawberry Fields", got code=10015',
      ],
    },
    {
      what: 'skips a line on each page',
      file: 'pagination',
      code: ['PLANTS[self.page * SIZE:', 'PLANTS[self.page * (SIZE + 1):'],
      report: [
        'expected: contains "Kale\\nLeek\\nPea"',
        'update of the message with 1 embed ("Plants", "Leek\\nPea", "2 of 3")',
      ],
    },
    {
      what: 'never answers, as it waits first',
      file: 'reminder',
      code: [
        "        await interaction.response.send_message(f'I will",
        "        await asyncio.sleep(9)\n        await interaction.response.send_message(f'I will",
      ],
      report: ['Helper did not answer', '/remind by ben'],
    },
    {
      what: 'defers in public',
      file: 'translate',
      code: ['defer(ephemeral=True)', 'defer()'],
      report: ['everyone sees the message', '204, sent message follows'],
    },
    {
      what: 'notes in the wrong channel what was blocked',
      file: 'automod',
      code: ["name='log'", "name='general'"],
      report: [
        'no message came in #log',
        'POST /api/v10/channels/#general/messages 200, sent content="ben wanted to say slugs."',
      ],
    },
    {
      what: 'forgets that reactions are taken back',
      file: 'reaction_log',
      code: ['on_raw_reaction_remove', 'on_raw_reaction_delete'],
      report: ['no message came in #log within 2s', '<- MESSAGE_REACTION_REMOVE'],
    },
  ],
);
