// discord.py of Debian: another language, and a gateway that is compressed as one stream.
import { fileURLToPath } from 'node:url';
import { botDay } from '../../stories/day/bot-day.ts';
import { playDay } from '../../stories/day/day.ts';
import { otherLanguage } from '../../stories/day/other-language.ts';
import { withoutPackages } from '../debian.ts';

const PROGRAM = fileURLToPath(new URL('discord-py-bot.py', import.meta.url));
const steps = Object.keys(botDay.steps) as (keyof typeof botDay.steps)[];

playDay(botDay, {
  name: 'discord.py',
  without: withoutPackages({ 'python3-discord': '/usr/lib/python3/dist-packages/discord/__init__.py' }),
  absent: { search: 'has no search of messages' },
  start: ({ api, gateway, token }) =>
    otherLanguage(['/usr/bin/python3', PROGRAM, api, gateway, token], steps),
});
