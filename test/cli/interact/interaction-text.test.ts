import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../src/cli/interact/arguments.ts';
import { interactionLine, interactionText } from '../../../src/cli/interact/interaction-text.ts';
import type { InteractionView, MessageView } from '../../../src/cli/interact/views.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const base: InteractionView = {
  id: '9',
  type: 'command',
  application: { id: '1', name: 'Helper' },
  user: { id: '2', username: 'ana' },
  channel: { id: '3', name: 'general' },
  used: '/tide',
  state: 'answered',
  follow_ups: [],
};
const message = (more: Partial<MessageView> = {}): MessageView => ({
  id: '5',
  content: '',
  ephemeral: false,
  ...more,
});
const lines = (more: Partial<InteractionView>, as?: string) =>
  interactionText({ ...base, ...more }, as)
    .trimEnd()
    .split('\n');

describe('the text of an interaction', () => {
  it('contains the response and the commands for its components', () => {
    const answered = message({
      content: 'High.\nAnd rising.',
      ephemeral: true,
      embeds: [{ title: 'Tide', description: 'At noon', fields: [{ name: 'Height', value: '3 m' }] }],
      attachments: [{ filename: 'a.png', size: 4, url: 'http://127.0.0.1/a.png' }],
      components: [
        {
          type: 1,
          components: [
            { type: 2, style: 1, label: 'Book', custom_id: 'book it' },
            { type: 2, style: 5, label: 'Docs', url: 'https://example.com' },
            { type: 2, style: 1, label: 'Gone', custom_id: 'gone', disabled: true },
            { type: 2, style: 6, sku_id: '7' },
            { type: 2, style: 1, label: 'Odd', custom_id: "--as 'x'" },
          ],
        },
        {
          type: 17,
          components: [
            { type: 10, content: 'Choose:' },
            {
              type: 1,
              components: [
                {
                  type: 3,
                  custom_id: 'level',
                  placeholder: 'How high',
                  max_values: 2,
                  options: [
                    { label: 'Low tide', value: 'low' },
                    { label: 'high', value: 'high' },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
    expect(lines({ message: answered, follow_ups: [message({ id: '6', content: 'More.' })] }, 'ben')).toEqual(
      [
        'ana used /tide of Helper in #general:',
        'Helper answered, for ana alone:',
        '  High.',
        '  And rising.',
        '  | Tide',
        '  | At noon',
        '  | Height: 3 m',
        '  [file] a.png, 4 bytes: http://127.0.0.1/a.png',
        "  [button] Book: footbridge emulator click --as ben 5 'book it'",
        '  [button] Docs: a link to https://example.com',
        '  [button] Gone: disabled',
        '  [button] sells the SKU 7',
        "  [button] Odd: footbridge emulator click --as ben -- 5 '--as '\\''x'\\'''",
        '  Choose:',
        '  [select] How high: 1 to 2 of low (Low tide), high: footbridge emulator choose --as ben 5 level VALUE',
        '  (message 5)',
        'Helper wrote besides:',
        '  More.',
        '  (message 6)',
      ],
    );
  });

  it('lists the fields of a modal and the submit command', () => {
    const components = [
      { type: 10, content: 'Say what you saw.' },
      {
        type: 18,
        label: 'Name',
        description: 'of the boat',
        component: { type: 4, custom_id: 'name', max_length: 10, value: 'Otter' },
      },
      {
        type: 18,
        label: 'Kind',
        component: {
          type: 21,
          custom_id: 'kind',
          required: false,
          options: [
            { label: 'sail', value: 'sail', default: true },
            { label: 'motor', value: 'motor' },
          ],
        },
      },
      {
        type: 18,
        label: 'Photos',
        component: { type: 19, custom_id: 'photos', max_values: 2, file_types: ['.png'] },
      },
      { type: 18, label: 'Sure', component: { type: 23, custom_id: 'sure' } },
    ];
    expect(lines({ state: 'modal', modal: { custom_id: 'm', title: 'Report', components } })).toEqual([
      'ana used /tide of Helper in #general:',
      'Helper opened a modal: Report',
      '  Say what you saw.',
      '  Name (of the boat)',
      '    name=: text of 0 to 10 characters; "Otter" unless given',
      '  Kind',
      '    kind=: one of sail, motor, optional; sail unless given',
      '  Photos',
      '    photos=: 1 to 2 files, each as @PATH (.png)',
      '  Sure',
      '    sure=: true or false',
      'Submit it with: footbridge emulator submit 9 name=… kind=… photos=… sure=…',
    ]);
  });

  it.each([
    [{ state: 'deferred' }, ['Helper is thinking.', 'See it later with: footbridge emulator interactions 9']],
    [
      { state: 'deferred', is_update: true },
      [
        'Helper has seen it, and will change the message.',
        'See it later with: footbridge emulator interactions 9',
      ],
    ],
    [{ state: 'answered' }, ['Helper answered, and deleted the answer.']],
    [
      { state: 'answered', is_update: true, message: message({ content: 'New.' }) },
      ['Helper changed the message:', '  New.', '  (message 5)'],
    ],
    [{ state: 'premium' }, ['Helper says that this has to be bought first.']],
    [{ state: 'launched', instance: 'i-1' }, ['Helper launched its activity, i-1.']],
  ])('describes the state of %o', (more, expected) => {
    expect(lines(more).slice(1)).toEqual(expected);
  });

  it('lists the autocomplete choices', () => {
    const choices = [
      { name: 'Otter', value: 'Otter' },
      { name: 'Two', value: 2 },
    ];
    const more = { type: 'autocomplete' as const, state: 'choices' };
    expect(lines({ ...more, choices })).toEqual([
      'ana is writing /tide of Helper in #general:',
      '  Otter',
      '  Two  2',
    ]);
    expect(lines({ ...more, choices: [] })[1]).toBe('Helper offers nothing.');
  });

  it('is replaced by an error when the application did not answer', () => {
    expect(() => lines({ state: 'failed', reason: 'no answer in 3 s' })).toThrow(
      'Helper did not answer /tide: no answer in 3 s. See that it runs, listens, and answers within 3 seconds.',
    );
    expect(() => lines({ state: 'waiting' })).toThrow('Check again with: footbridge emulator interactions 9');
  });

  it('contains no control characters', () => {
    const content = '\u001b[2J\u202eevil';
    const application = { id: '1', name: 'He\u0007lper' };
    const told = lines({ message: message({ content }), application }).join('');
    expect(told).toContain('?[2J?evil');
    expect(told).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(interactionLine({ ...base, used: 'a\nb' })).not.toContain('\n');
  });
});

describe('arguments of emulator use', () => {
  it('are subcommands, then NAME=VALUE pairs with repeated names for lists and @PATH for files', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'cat.png');
    writeFileSync(path, 'meow');
    mkdirSync(join(folder, 'dir'));
    const given = readArguments('emulator use', [
      'book',
      'boat=a=b',
      'who=@otter',
      'list=x',
      'list=y',
      `picture=@${path}`,
      `folder=@${folder}/dir`,
      'empty=',
    ]);
    expect(given).toEqual({
      leading: ['book'],
      values: {
        boat: 'a=b',
        who: '@otter',
        list: ['x', 'y'],
        picture: `@${path}`,
        folder: `@${folder}/dir`,
        empty: '',
      },
      files: {
        who: [{ filename: 'otter', problem: 'there is no such file or folder (ENOENT)' }],
        picture: [{ filename: 'cat.png', data: Buffer.from('meow').toString('base64') }],
        folder: [{ filename: 'dir', problem: expect.stringMatching(/folder|regular file/) }],
      },
    });
  });

  it.each([['a=1', 'sub'], ['=x'], [`${'x'.repeat(101)}=1`]])(
    'are rejected when malformed: %s %s',
    (...words) => {
      expect(() => readArguments('emulator use', words)).toThrow(
        /is no NAME=VALUE\. Try: footbridge emulator use --help$/,
      );
    },
  );
});
