import type { Names } from '../../../../src/message-text/shape.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';
import type { Shown } from './drawn-page.ts';

const COMPONENTS_V2 = 1 << 15;
const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
const MESSAGES = `/channels/${ids.general}/messages`;

export const NAMES: Names = {
  users: { [ids.river]: { name: 'River', color: 0xe0_70_20 }, [ids.heron]: { name: 'Heron' } },
  roles: { '801': { name: 'crew', color: 0x20_c0_60 } },
  channels: { [ids.general]: { name: 'general', type: 0 } },
};

/** A text with every kind of markup. */
const MARKUP = `# Tides
Today **high** at *noon*, __sure__, ~~maybe~~ and ||**secret** pier||. \`code\` <@${ids.river}> <@&801> <#${ids.general}> <t:1767351600:R> https://example.com
> quoted
- one
  - inner
1. first
-# small
\`\`\`js
const tide = 'high';
\`\`\`
[a link](https://example.com/tide) <:cat:5> </tide now:7> مرحبا بالعالم`;

const BUTTONS = {
  type: 1,
  components: [
    { type: 2, style: 1, label: 'Book', custom_id: 'book' },
    { type: 2, style: 2, label: 'Later', custom_id: 'later' },
    { type: 2, style: 3, label: 'Allow', custom_id: 'allow', emoji: { name: '⚓' } },
    { type: 2, style: 4, label: 'Sink', custom_id: 'sink', disabled: true },
    { type: 2, style: 5, label: 'Docs', url: 'https://example.com/docs' },
  ],
};

const SELECTS = [
  {
    type: 3,
    custom_id: 'berth',
    placeholder: 'Choose a berth',
    options: [
      { label: 'North', value: 'n', description: 'deep water', emoji: { name: '🧭' } },
      { label: 'South', value: 's' },
    ],
  },
  { type: 5, custom_id: 'users', max_values: 2 },
  { type: 6, custom_id: 'roles', default_values: [{ id: '801', type: 'role' }] },
  { type: 7, custom_id: 'any', placeholder: 'Who?' },
  { type: 8, custom_id: 'channels', placeholder: 'Where?' },
].map((select) => ({ type: 1, components: [select] }));

const LAYOUT = [
  { type: 10, content: '## Harbour' },
  {
    type: 17,
    accent_color: 0x20_80_c0,
    components: [
      {
        type: 9,
        components: [{ type: 10, content: 'Berth **four** is free.' }],
        accessory: { type: 2, style: 1, label: 'Take it', custom_id: 'take' },
      },
      { type: 14, divider: true, spacing: 2 },
      {
        type: 9,
        components: [{ type: 10, content: 'The pier at night' }],
        accessory: { type: 11, media: { url: 'https://example.com/pier.png' }, description: 'pier' },
      },
      {
        type: 12,
        items: [
          { media: { url: 'https://example.com/a.png' }, description: 'one' },
          { media: { url: 'https://example.com/missing.png' }, description: 'two', spoiler: true },
        ],
      },
      { type: 1, components: [{ type: 2, style: 2, label: 'Inside', custom_id: 'inside' }] },
    ],
  },
  { type: 17, spoiler: true, components: [{ type: 10, content: 'covered' }] },
  { type: 13, file: { url: 'attachment://tide.txt' } },
];

const EMBED = {
  title: 'Tide table',
  url: 'https://example.com/tides',
  description: 'High water at **noon**, ||low|| at six.',
  color: 0x20_80_c0,
  author: { name: 'Harbour office', url: 'https://example.com' },
  thumbnail: { url: 'https://example.com/missing-thumb.png' },
  image: { url: 'https://example.com/sea.png' },
  fields: [
    { name: 'North', value: '3 m', inline: true },
    { name: 'South', value: '2 m', inline: true },
    { name: 'Note', value: 'Mind the *rocks*.' },
  ],
  footer: { text: 'by the office' },
  timestamp: '2026-01-02T03:04:05.000Z',
};

/** One message of each kind, from the emulator's HTTP API; what only one user sees is made of such a message. */
export async function eachKind(): Promise<readonly Shown[]> {
  const platform = await guildPlatform([
    'VIEW_CHANNEL',
    'SEND_MESSAGES',
    'EMBED_LINKS',
    'ATTACH_FILES',
    'READ_MESSAGE_HISTORY',
    'ADD_REACTIONS',
    'MANAGE_MESSAGES',
    'PIN_MESSAGES',
    'CREATE_PUBLIC_THREADS',
    'SEND_POLLS',
    'MENTION_EVERYONE',
  ]);
  const headers = platform.bot();
  const ask = async (what: string, request: object = {}): Promise<{ readonly id: string }> => {
    const { status, body } = await platform.call(what, { headers, ...request });
    if (status >= 300) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
    return body as { readonly id: string };
  };
  const say = (json: object) => ask(`POST ${MESSAGES}`, { json });
  const withFiles = (json: object, files: Readonly<Record<string, string>>) => {
    const body = new FormData();
    body.set('payload_json', JSON.stringify(json));
    for (const [index, [name, type]] of Object.entries(files).entries())
      body.set(`files[${index}]`, new Blob(['tide'], { type }), name);
    return ask(`POST ${MESSAGES}`, { body });
  };
  const text = await say({ content: MARKUP });
  await ask(`PATCH ${MESSAGES}/${text.id}`, { json: { content: `${MARKUP}\nlast` } });
  await say({ content: '👍🎉' });
  await say({ content: 'A reply', message_reference: { message_id: text.id } });
  await say({ message_reference: { type: 1, message_id: text.id, channel_id: ids.general } });
  await say({ embeds: [EMBED] });
  await withFiles(
    { content: 'Files' },
    { 'pier.png': 'image/png', 'SPOILER_night.png': 'image/png', 'tide.csv': 'text/csv' },
  );
  await say({ content: 'Components', components: [BUTTONS, ...SELECTS.slice(0, 4)] });
  await say({ components: [SELECTS[4]] });
  await withFiles({ flags: COMPONENTS_V2, components: LAYOUT }, { 'tide.txt': 'text/plain' });
  await say({ flags: COMPONENTS_V2, components: [{ type: 14 }, { type: 14 }] });
  const poll = await say({
    poll: {
      question: { text: 'Where to?' },
      answers: [{ poll_media: { text: 'Pier', emoji: { name: '⚓' } } }, { poll_media: { text: 'Sea' } }],
      allow_multiselect: true,
    },
  });
  const over = await say({
    poll: { question: { text: 'Over?' }, answers: [{ poll_media: { text: 'Yes' } }] },
  });
  await ask(`POST /channels/${ids.general}/polls/${over.id}/expire`);
  await ask(`PUT ${MESSAGES}/${poll.id}/reactions/${encodeURIComponent('👍')}/@me`);
  await ask(`PUT /channels/${ids.general}/messages/pins/${poll.id}`);
  await ask(`POST ${MESSAGES}/${text.id}/threads`, { json: { name: 'Plans of the crew' } });
  await ask(`POST /channels/${ids.general}/threads`, { json: { name: 'Another', type: 11 } });
  const { body } = await platform.call(`GET ${MESSAGES}?limit=100`, { headers });
  const real = (body as object[]).reverse();
  const [first = {}] = real;
  const origin = { id: '1', type: 2, name: 'tide', user: { id: ids.river, username: 'river' } };
  const own = { ...first, type: 20, interaction_metadata: origin, thread: undefined, content: 'For you' };
  return [
    ...real.map((message, index) => ({ message, revision: `r${index}`, ephemeral: false })),
    { message: { ...own, id: '1', flags: EPHEMERAL }, revision: 'a', ephemeral: true },
    { message: { ...own, id: '2', content: '', flags: LOADING }, revision: 'b', ephemeral: false },
    {
      message: {
        ...own,
        id: '3',
        type: 0,
        content: '',
        sticker_items: [{ id: '9', name: 'Wave', format_type: 1 }],
      },
      revision: 'c',
      ephemeral: false,
      isContinued: true,
    },
    { message: { ...own, id: '4', type: 99, content: 'odd' }, revision: 'd', ephemeral: false },
  ];
}
