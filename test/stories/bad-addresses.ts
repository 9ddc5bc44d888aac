import { ask } from './ask.ts';
import { bot, json, type Line } from './bad-lines.ts';

/** Addresses that events must not go to, and why. */
const ADDRESSES = [
  ['https://events.example/', 'https: is not delivered to'],
  ['http://events.example/', 'events.example is another machine, or may be'],
  ['file:///etc/passwd', 'file: is not delivered to'],
  ['http://192.0.2.1/', '192.0.2.1 is another machine, or may be'],
  ['http://0x7f.1/', '"0x7f.1" is an address in disguise'],
  ['http://2130706433/', '"2130706433" is an address in disguise'],
  ['http://[::ffff:127.0.0.1]/', '"[::ffff:127.0.0.1]" is an address in disguise'],
  ['http://127.0.0.1@evil.example/', 'has a user name or a password in it'],
  ['http://localhost.evil.example/', 'localhost.evil.example is another machine, or may be'],
  ['nowhere', 'is no address'],
] as const;

/** What is answered to an application that wants its events there. */
export const ADDRESSES_REFUSED: readonly Line[] = ADDRESSES.map(([url, reason]) => ({
  what: `the webhook address ${url}`,
  ask: ({ emulator }) =>
    ask(emulator, 'PATCH /v10/applications/@me', {
      headers: { ...bot, ...json },
      body: JSON.stringify({ event_webhooks_url: url, description: 'changed' }),
    }),
  status: 400,
  body: {
    message: 'Invalid Form Body',
    code: 50035,
    errors: {
      event_webhooks_url: {
        _errors: [
          {
            code: 'APPLICATION_EVENT_WEBHOOKS_URL_INVALID',
            message: `${reason}; events are delivered to http: addresses of this machine only`,
          },
        ],
      },
    },
  },
}));

/** Issuers that nobody may write down, and why. */
export const ISSUERS_REFUSED = [
  ['http://id.example.com', 'is http:, not https:'],
  ['file:///etc/passwd', 'is file:, not https:'],
  ['https://localhost', 'has a host name of one label'],
  ['https://id.example.localhost', 'ends in .localhost'],
  ['https://printer.local', 'ends in .local'],
  ['https://192.0.2.1', 'names an IP address'],
  ['https://0x7f.1', 'names an IP address'],
  ['https://2130706433', 'names an IP address'],
  ['https://[::1]', 'names an IP address'],
  ['https://river@evil.example', 'has a user name or a password in it'],
  ['https://id.example.com?x=1', 'has a query'],
  ['https://id.example.com#x', 'has a fragment'],
  ['https://ｉｄ.example.com', 'has a character that no address has'],
  ['nowhere', 'is no address'],
] as const;
