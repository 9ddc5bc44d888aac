import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';

const MESSAGES = `/channels/${ids.general}/messages`;

const select = (min_values: number) => ({
  content: 'Which tide?',
  components: [
    {
      type: 1,
      components: [
        {
          type: 3,
          custom_id: 'tide',
          min_values,
          max_values: 5,
          options: [{ label: 'high', value: 'high' }],
        },
      ],
    },
  ],
});

describe('an empty part of a message', () => {
  it('counts as an empty message, or is refused at its field', async () => {
    const { ask, emulator } = await botPlatform();
    const before = emulator.tables.messages.size;
    const field = (name: string, value: string) => ({ embeds: [{ fields: [{ name, value }] }] });
    const refusals: readonly (readonly [object, number])[] = [
      [{ content: ' \n\t' }, 50006],
      [{ embeds: [{}] }, 50006],
      [{ embeds: [{ color: 5, url: 'https://example.com', timestamp: '2026-01-01T00:00:00Z' }] }, 50006],
      [{ embeds: [{ title: '  ', description: '' }] }, 50006],
      [field('', 'high'), 50035],
      [field('tide', '  '), 50035],
      [select(2), 50035],
    ];
    for (const [json, code] of refusals) {
      const { status, body } = await ask(`POST ${MESSAGES}`, json);
      expect([json, status, body.code]).toEqual([json, 400, code]);
    }
    const { body } = await ask(`POST ${MESSAGES}`, field('', 'high'));
    expect(body.errors.embeds[0].fields[0].name._errors).toEqual([
      { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' },
    ]);
    expect(emulator.tables.messages.size).toBe(before);
  });

  it('is dropped beside other parts, and an edit cannot leave an empty message', async () => {
    const { ask, refused } = await botPlatform();
    const sent = await ask(`POST ${MESSAGES}`, {
      content: 'tide',
      embeds: [{}, { title: 'high' }, { color: 5 }],
    });
    expect(sent).toMatchObject({ status: 200, body: { content: 'tide', embeds: [{ title: 'high' }] } });
    expect(sent.body.embeds).toHaveLength(1);
    const path = `PATCH ${MESSAGES}/${sent.body.id}`;
    expect((await refused(path, { content: '  ', embeds: [{}] })).body.code).toBe(50006);
    expect((await ask(`POST ${MESSAGES}`, select(1))).status).toBe(200);
  });
});

it('AutoMod accepts actions whose other metadata is null', async () => {
  const { ask } = await botPlatform();
  const nothing = { channel_id: null, duration_seconds: null, custom_message: null };
  const answer = await ask(`POST /guilds/${ids.riverBank}/auto-moderation/rules`, {
    name: 'mud',
    event_type: 1,
    trigger_type: 1,
    trigger_metadata: { keyword_filter: ['mud'], regex_patterns: null, allow_list: null, presets: null },
    actions: [
      { type: 1, metadata: nothing },
      { type: 2, metadata: { ...nothing, channel_id: ids.general } },
      { type: 3, metadata: { ...nothing, duration_seconds: 60 } },
    ],
  });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      actions: [
        { type: 1, metadata: {} },
        { type: 2, metadata: { channel_id: ids.general } },
        { type: 3, metadata: { duration_seconds: 60 } },
      ],
    },
  });
});

it('the application of an integration has a summary', async () => {
  const { ask } = await botPlatform();
  const { body } = await ask(`GET /guilds/${ids.riverBank}/integrations`);
  expect(body[0].application).toMatchObject({ summary: '' });
});
