// A world with ten messages of different kinds, of which pictures are compared.
import { PNG } from 'pngjs';
import { startEmulator, type TestEmulator } from '../../../src/testing/testing.ts';
import { addBot, botToken } from '../../helpers/gateway-bot.ts';

const APP = '300000000000000001';
const GUILD = '400000000000000001';
const GENERAL = '500000000000000002';
/** Time of the world: the clock stands still. */
const NOON = new Date('2030-01-01T12:30:00.000Z');

/** A picture that all programs decode to the same pixels: a flag of three colours. */
function flag(width: number, height: number): Blob {
  const image = new PNG({ width, height });
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = [0x1a56a8, 0xf2f4f7, 0x176b3a][Math.floor((y * 3) / height)] ?? 0;
      image.data.writeUInt32BE(((colour << 8) | 0xff) >>> 0, (y * width + x) * 4);
    }
  }
  return new Blob([new Uint8Array(PNG.sync.write(image))], { type: 'image/png' });
}

const button = (style: number, label: string, more: object = {}): object => ({
  type: 2,
  style,
  label,
  custom_id: label,
  ...more,
});
const row = (...components: readonly object[]): object => ({ type: 1, components });

/** Bodies of the messages by the name of their picture; a file belongs to those that name `flag.png`. */
const BODIES: Readonly<Record<string, object>> = {
  text: {
    content:
      'The **ferry** leaves at *noon*, ~~not at ten~~. See __the list__, ||the secret quay|| and `berth 4`.\n' +
      '# Berths\n- North\n- South\n> High water at <t:1893502800:t>, <t:1893502800:R>\n-# Harbour office',
  },
  code: {
    content:
      '```ts\nconst berth = await book({ boat: "Otter", nights: 2 });\n```\nand <https://example.com/a?b=c>',
  },
  mentions: { content: 'For <@200000000000000001>, in <#500000000000000002>: ☀ ⚓ <@&400000000000000001>' },
  embed: {
    embeds: [
      {
        title: 'Tide table',
        url: 'https://example.com/tides',
        description: 'High water at **12:40**, low water at 18:55.',
        color: 0x1a56a8,
        author: { name: 'Harbour office' },
        fields: [
          { name: 'North quay', value: '3.2 m', inline: true },
          { name: 'South quay', value: '2.9 m', inline: true },
          { name: 'Remark', value: 'Wind from the west' },
        ],
        footer: { text: 'Measured hourly' },
        timestamp: '2030-01-01T12:00:00.000Z',
      },
    ],
  },
  attachment: {
    content: 'The flag of the day',
    attachments: [{ id: 0, filename: 'flag.png', description: 'A flag' }],
  },
  buttons: {
    content: 'Book a berth?',
    components: [
      row(
        button(1, 'Book'),
        button(2, 'Later'),
        button(3, 'Accept'),
        button(4, 'Refuse'),
        button(2, 'Full', { disabled: true }),
      ),
      row({
        type: 3,
        custom_id: 'quay',
        placeholder: 'Which quay?',
        options: [
          { label: 'North', value: 'n' },
          { label: 'South', value: 's' },
        ],
      }),
    ],
  },
  layout: {
    flags: 1 << 15,
    components: [
      {
        type: 17,
        accent_color: 0x176b3a,
        components: [
          { type: 10, content: '## Otter\nTwo berths, **three** nights' },
          { type: 14, divider: true, spacing: 1 },
          {
            type: 9,
            components: [{ type: 10, content: 'Paid until Friday' }],
            accessory: button(1, 'Extend'),
          },
          row(button(4, 'Leave')),
        ],
      },
    ],
  },
  poll: {
    poll: {
      question: { text: 'When do we sail?' },
      answers: [{ poll_media: { text: 'At dawn' } }, { poll_media: { text: 'At noon' } }],
      duration: 24,
      allow_multiselect: false,
    },
  },
};

/** Ten messages by the name of their picture. */
export interface PicturedWorld {
  readonly bridge: TestEmulator;
  readonly messages: ReadonlyMap<string, string>;
}

/** Starts a bridge with the messages; its clock stands still at noon. */
export async function picturedWorld(): Promise<PicturedWorld> {
  const bridge = await startEmulator();
  await bridge.clock.set(NOON);
  await bridge.clock.freeze();
  await addBot(bridge, APP, GUILD, []);
  const messages = new Map<string, string>();
  for (const [name, body] of Object.entries(BODIES)) messages.set(name, await write(bridge, body));
  const text = messages.get('text');
  const reference = { message_id: text, channel_id: GENERAL };
  messages.set('reply', await write(bridge, { content: 'We are there.', message_reference: reference }));
  for (const emoji of ['☀', '⚓'])
    await ask(
      bridge,
      'PUT',
      `/channels/${GENERAL}/messages/${messages.get('reply')}/reactions/${encodeURIComponent(emoji)}/@me`,
    );
  messages.set('forwarded', await write(bridge, { message_reference: { ...reference, type: 1 } }));
  return { bridge, messages };
}

async function write(bridge: TestEmulator, body: object): Promise<string> {
  const form = new FormData();
  form.set('payload_json', JSON.stringify(body));
  if (JSON.stringify(body).includes('flag.png')) form.set('files[0]', flag(120, 80), 'flag.png');
  const { id } = (await ask(bridge, 'POST', `/channels/${GENERAL}/messages`, form)) as {
    readonly id: string;
  };
  return id;
}

async function ask({ api }: TestEmulator, method: string, path: string, body?: FormData): Promise<unknown> {
  const response = await fetch(`${api}/v10${path}`, {
    method,
    headers: { authorization: `Bot ${botToken(APP)}` },
    ...(body && { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
