import { Client, Partials } from 'discord.js';
import * as autocomplete from './autocomplete.mjs';
import * as feedback from './feedback.mjs';
import * as giveaway from './giveaway.mjs';
import * as level from './level.mjs';
import * as meeting from './meeting.mjs';
import * as mirror from './mirror.mjs';
import * as poll from './poll.mjs';
import * as report from './report.mjs';
import * as roles from './roles.mjs';
import * as suggestions from './suggestions.mjs';
import * as threads from './threads.mjs';
import * as ticket from './ticket.mjs';
import * as welcome from './welcome.mjs';

const features = [
  autocomplete,
  feedback,
  giveaway,
  level,
  meeting,
  mirror,
  poll,
  report,
  roles,
  suggestions,
  threads,
  ticket,
  welcome,
];
const client = new Client({
  intents: [
    'Guilds',
    'GuildMembers',
    'GuildMessages',
    'GuildMessagePolls',
    'GuildScheduledEvents',
    'MessageContent',
  ],
  partials: [Partials.User],
  rest: { api: process.env.FOOTBRIDGE_API },
});
for (const { register } of features) register?.(client);
client.once('clientReady', () => {
  void client.application.commands.set(features.flatMap(({ commands = [] }) => commands));
});
await client.login(process.env.DISCORD_TOKEN);
