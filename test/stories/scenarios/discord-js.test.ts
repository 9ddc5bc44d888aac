import { tellFaults } from './scenarios.ts';

tellFaults(
  {
    folder: 'discord-js',
    ending: '.mjs',
    command: () => [process.execPath, 'index.mjs'],
  },
  [
    {
      what: 'answers a button twice',
      file: 'ticket',
      code: [
        'await interaction.reply(`Closed by',
        "interaction.reply('Closing …').catch(() => {});\n      await interaction.reply(`Closed by",
      ],
      report: [
        'the bot exited with 1',
        'actual:   before that, POST /api/v10/interactions/',
        '400, sent message "Closed by @ben.", got code=40060 message="Interaction has already been acknowledged."',
      ],
    },
    {
      what: 'gives other roles than those that were chosen',
      file: 'roles',
      code: ['interaction.values.includes(name)', 'interaction.values.length > 0'],
      report: [
        'ben still has gardener',
        'PATCH /api/v10/guilds/Allotments/members/@ben 200, sent roles=3 ("@beekeeper", "@gardener"',
      ],
    },
    {
      what: 'takes the last of a poll for the winner',
      file: 'poll',
      code: ['b.voteCount - a.voteCount', 'a.voteCount - b.voteCount'],
      report: [
        'actual:   "**Saturday** wins with 1 votes."',
        'POST /api/v10/channels/#general/messages 200, sent content="**Saturday** wins with 1 votes."',
      ],
    },
    {
      what: 'counts one message too many',
      file: 'level',
      code: ['(counts.get(id) ?? 0) + 1', '(counts.get(id) ?? 1) + 1'],
      report: ['there is a message', 'sent content="Level 1, well done!"'],
    },
    {
      what: 'reads the wrong field of a form',
      file: 'feedback',
      code: [
        "title: interaction.fields.getTextInputValue('subject')",
        "title: interaction.fields.getTextInputValue('text')",
      ],
      report: [
        'expected: contains "The pump"',
        'POST /api/v10/channels/#log/messages 200, sent embeds=1 ("It leaks.", "by ben")',
      ],
    },
    {
      what: 'compares what is typed with capital letters',
      file: 'autocomplete',
      code: ['name.toLowerCase().startsWith(typed)', 'name.startsWith(typed)'],
      report: ['the bot offers other choices', 'completion of /plant by ben', 'sent no choices'],
    },
    {
      what: 'lets everyone draw the winner',
      file: 'giveaway',
      code: ["memberPermissions.has('ManageMessages')", "memberPermissions.has('SendMessages')"],
      report: [
        'button giveaway-draw by ben',
        'PATCH /api/v10/channels/#general/messages/{giveaway} 200, sent content="@ben has won."',
      ],
    },
    {
      what: 'edits another message than the one with the button',
      file: 'giveaway',
      code: ['await interaction.message.edit({', "await (await interaction.followUp('Drawing …')).edit({"],
      report: [
        'the message says something else after 2s',
        'actual:   "Who wants a pumpkin? 1 take part."',
        'MESSAGE_UPDATE content="@ben has won." author="helper" guild_id="Allotments" channel_id="#general" id="1',
      ],
    },
    {
      what: 'asks for no events of members',
      file: 'welcome',
      source: 'index.mjs',
      code: ["'GuildMembers',", ''],
      report: [
        'no message came in #general from bot within 2s',
        'The bot got no event of this: it has to see the channel, and its intents are GUILDS, GUILD_MESSAGES,',
      ],
    },
    {
      what: 'does not ask how many come to a meeting',
      file: 'meeting',
      code: ['withUserCount: true', 'withUserCount: false'],
      report: [
        'expected: contains "comes to Compost day, 1 so far."',
        '<- GUILD_SCHEDULED_EVENT_USER_ADD guild_id="Allotments" user_id="@ben"',
        'POST /api/v10/channels/#general/messages 200, sent content="@ben comes to Compost day, null so far."',
      ],
    },
    {
      what: 'repeats what it repeats',
      file: 'mirror',
      code: [
        "message.author.bot || message.channel.name !== 'general'",
        "message.author.username === 'helper'",
      ],
      report: [
        'error: there is a message',
        'actual:   ben: "The gate is open" (',
        '<- MESSAGE_CREATE content="The gate is open" author="ben" guild_id="Allotments" channel_id="#log"',
      ],
    },
    {
      what: 'leaves a thread open that is solved',
      file: 'threads',
      code: ['archived: true, locked: true', 'locked: true'],
      report: [
        'no such THREAD_UPDATE was sent',
        'PATCH /api/v10/channels/#Where is the hose 200, sent locked=true',
      ],
    },
    {
      what: 'reacts twice with the same emoji',
      file: 'suggestions',
      code: ["'👎'", "'👍'"],
      report: [
        'the message has no such reaction',
        'PUT /api/v10/channels/#suggestions/messages/{post}/reactions/👍/@me 204 (2 times)',
      ],
    },
    {
      what: 'thanks in public',
      file: 'report',
      code: [
        "{ content: 'Thank you, moderators look at it.', flags: 'Ephemeral' }",
        "{ content: 'Thank you, moderators look at it.' }",
      ],
      report: ['everyone sees the message', 'sent message "Thank you, moderators look at it."'],
    },
  ],
);
