import { spawnSync } from 'node:child_process';
import { tellFaults } from './scenarios.ts';

/** Runs Go in a folder; what it complains of, empty where it does not. */
function go(cwd: string, ...words: readonly string[]): string {
  const { status, stderr, error } = spawnSync('go', words, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  return status === 0 ? '' : (error?.message ?? stderr);
}

const SOURCES = new URL('discordgo', import.meta.url).pathname;

/** Why there is no library here: it comes from Go's cache of modules or its proxy. */
function withoutLibrary(): string | undefined {
  const fault = go(SOURCES, 'mod', 'download', 'github.com/bwmarrin/discordgo');
  if (fault === '') return undefined;
  return /ENOENT/.test(fault) ? 'Go is missing' : `Go has no discordgo: ${fault.trim().split('\n').at(-1)}`;
}

tellFaults(
  {
    folder: 'discordgo',
    ending: '.go',
    shown: { source: 'main.go', language: 'go' },
    command(copy) {
      for (const words of [
        ['mod', 'tidy'],
        ['build', '-o', 'bot', '.'],
      ]) {
        const fault = go(copy, ...words);
        if (fault !== '') throw new Error(fault);
      }
      return ['./bot'];
    },
    without: withoutLibrary(),
  },
  [
    {
      what: 'leaves out a field that the platform requires',
      file: 'events',
      code: [
        '			EntityMetadata:     &discordgo.GuildScheduledEventEntityMetadata{Location: "The shed"},\n',
        '',
      ],
      report: [
        'expected: contains "Compost day is planned"',
        'POST /api/v9/guilds/Allotments/scheduled-events 400',
      ],
    },
    {
      what: 'repeats itself without end',
      file: 'mirror',
      code: [
        'm.Author.Bot || m.WebhookID != "" || m.ChannelID != channelNamed(s, m.GuildID, "general")',
        'm.GuildID == ""',
      ],
      report: [
        'the bot is not done with this after 5s',
        'that it does not answer itself',
        'content="The gate is open" author="ben"',
      ],
    },
    {
      what: 'does not close the thread',
      file: 'threads',
      code: ['closed := true', 'closed := false'],
      report: [
        'no event THREAD_UPDATE was sent',
        'PATCH /api/v9/channels/#Where is the hose 200, sent archived=false locked=false',
      ],
    },
  ],
);
