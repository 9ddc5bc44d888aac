import { describe, expect, it } from 'vitest';
import { callbackText, eventText, interactionText } from '../../src/journal/interaction-text.ts';

const ana = { user: { username: 'ana' } };
const member = { member: { user: { username: 'ben' } } };

describe('an interaction in words', () => {
  it.each<[string, unknown, string | undefined]>([
    ['a command', { type: 2, data: { name: 'berth', type: 1 }, ...ana }, '/berth by ana'],
    ['a command of a menu', { type: 2, data: { name: 'Report', type: 3 }, ...member }, 'Report by ben'],
    ['a completion', { type: 4, data: { name: 'berth' }, ...ana }, 'completion of /berth by ana'],
    [
      'a button',
      { type: 3, data: { custom_id: 'book', component_type: 2 }, ...member },
      'button book by ben',
    ],
    ['a select', { type: 3, data: { custom_id: 'pier', component_type: 3 }, ...ana }, 'select pier by ana'],
    ['a modal', { type: 5, data: { custom_id: 'form' }, ...ana }, 'modal form by ana'],
    [
      'a button with a hidden name',
      { type: 3, data: { custom_id: '[hidden]', component_type: 2 }, ...ana },
      'button by ana',
    ],
    ['a command of nobody', { type: 2, data: { name: 'berth' } }, '/berth'],
    ['a ping', { type: 1 }, undefined],
    ['no object', null, undefined],
  ])('is %s', (_, interaction, text) => {
    expect(interactionText(interaction)).toBe(text);
  });
});

describe('an answer to an interaction in words', () => {
  it.each<[unknown, string | undefined]>([
    [{ type: 1 }, 'pong'],
    [{ type: 4, data: { content: 'Booked' } }, 'message "Booked"'],
    [{ type: 4, data: { embeds: [{}] } }, 'message with 1 embed'],
    [
      { type: 4, data: { content: 'a', embeds: [{}, {}], components: [{}] } },
      'message "a" with 2 embeds and 1 component',
    ],
    [
      {
        type: 4,
        data: {
          flags: 64,
          embeds: [{ title: 'ben', fields: [{ name: 'Level', value: 'Level' }, { value: '2' }] }],
        },
      },
      'ephemeral message with 1 embed ("ben", "Level", "2")',
    ],
    [
      { type: 7, data: { components: [{ components: [{ label: 'x'.repeat(199) }] }] } },
      `update of the message with 1 component ("${'x'.repeat(99)}…)`,
    ],
    [{ type: 4, data: { embeds: [{ title: 'string(9)', url: 'b' }] } }, 'message with 1 embed'],
    [{ type: 4 }, 'message'],
    [{ type: 5 }, 'message follows'],
    [{ type: 5, data: { flags: 64 } }, 'ephemeral message follows'],
    [{ type: 6 }, 'update follows'],
    [{ type: 7, data: { content: 'string(9)' } }, 'update of the message'],
    [{ type: 8, data: { choices: [{}, {}] } }, '2 choices'],
    [{ type: 8, data: { choices: [{ name: 'Low', value: 1 }] } }, '1 choice ("Low")'],
    [{ type: 8, data: { choices: [] } }, 'no choices'],
    [{ type: 9, data: { title: 'Berth' } }, 'modal Berth'],
    [{ type: 12 }, 'launches the activity'],
    [{ type: 99 }, undefined],
    ['(not JSON, 3 characters)', undefined],
  ])('%j is %s', (callback, text) => {
    expect(callbackText(callback)).toBe(text);
  });
});

describe('an event in words', () => {
  it.each<[string, unknown, string | undefined]>([
    ['MESSAGE_CREATE', { content: 'Low tide', author: ana.user }, 'message "Low tide" by ana'],
    ['MESSAGE_UPDATE', { embeds: [{}], author: ana.user }, 'update of the message with 1 embed by ana'],
    ['MESSAGE_CREATE', { content: '', author: { username: '[hidden]' } }, 'message'],
    ['GUILD_CREATE', { name: 'Harbour' }, 'guild Harbour'],
    ['GUILD_CREATE', { id: '1' }, 'guild'],
    ['TYPING_START', { name: 'ana' }, undefined],
  ])('is that of %s with %j', (event, data, text) => {
    expect(eventText(event, data)).toBe(text);
  });
});
