// discordrb-webhooks of Debian: Ruby, and the form of a file as rest-client writes it.
import { fileURLToPath } from 'node:url';
import { playDay } from '../../stories/day/day.ts';
import { otherLanguage } from '../../stories/day/other-language.ts';
import { webhookDay } from '../../stories/day/webhook-day.ts';
import { withoutPackages } from '../debian.ts';

const PROGRAM = fileURLToPath(new URL('discordrb-webhooks.rb', import.meta.url));

playDay(webhookDay, {
  name: 'discordrb-webhooks',
  without: withoutPackages({
    'ruby-discordrb-webhooks': '/usr/lib/ruby/vendor_ruby/discordrb/webhooks.rb',
  }),
  absent: {},
  start: () => otherLanguage(['/usr/bin/ruby', PROGRAM], ['text', 'embeds', 'files']),
});
