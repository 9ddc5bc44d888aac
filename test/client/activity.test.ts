import { describe, expect, it } from 'vitest';
import { type ActivityInput, wireActivity } from '../../src/client/activity.ts';

/** What is wrong with an activity; undefined when nothing is. */
function wrong(activity: object): string | undefined {
  try {
    wireActivity(activity as ActivityInput);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'FOOTBRIDGE_INVALID_ARGUMENT' });
    return (error as Error).message;
  }
}

const url = (length: number): string => `https://example.test/${'x'.repeat(length - 21)}`;

describe('an untyped activity', () => {
  it.each([undefined, null, 'By the river', 7, () => {}])('must be an object and not %j', (activity) => {
    expect(wrong(activity as never)).toBe('activity: must be an object');
  });
  it.each(['timestamps', 'assets', 'party', 'secrets'])('must have an object as its %s', (key) => {
    expect(wrong({ [key]: 'x' })).toBe(`activity.${key}: must be an object`);
  });
  it('may hold null, which the server validates', () => {
    expect(
      wrong({
        party: { id: 'party' },
        secrets: { join: null, match: null },
        buttons: [{ label: 'x', url: url(40) }],
      }),
    ).toBeUndefined();
    const nothing = { timestamps: null, assets: null, party: null, secrets: null, buttons: null };
    expect(wrong(nothing)).toBeUndefined();
  });
});

it('an activity may have secrets that contain the party id', () => {
  const party = { id: 'room-7' };
  for (const join of ['{"room":"room-7"}', 'JOIN_room-7']) {
    expect(wrong({ party, secrets: { join } })).toBeUndefined();
  }
});

describe('the limits of protocol 7.2 in UTF-16 units', () => {
  const texts: [string, (value: unknown) => object, number, number][] = [
    ['name', (name) => ({ name }), 1, 128],
    ['state', (state) => ({ state }), 2, 128],
    ['details', (details) => ({ details }), 2, 128],
    ['assets.large_image', (large_image) => ({ assets: { large_image } }), 1, 313],
    ['assets.large_text', (large_text) => ({ assets: { large_text } }), 2, 128],
    ['assets.small_image', (small_image) => ({ assets: { small_image } }), 1, 313],
    ['assets.small_text', (small_text) => ({ assets: { small_text } }), 2, 128],
    ['assets.invite_cover_image', (invite_cover_image) => ({ assets: { invite_cover_image } }), 1, 313],
    ['party.id', (id) => ({ party: { id } }), 2, 128],
    ['secrets.match', (match) => ({ secrets: { match } }), 2, 128],
    ['secrets.join', (join) => ({ secrets: { join } }), 2, 128],
    ['secrets.spectate', (spectate) => ({ secrets: { spectate } }), 2, 128],
    ['buttons[0].label', (label) => ({ buttons: [{ label, url: url(40) }] }), 1, 32],
  ];
  it.each(texts)('apply to the text %s', (path, put, min, max) => {
    expect(wrong(put('x'.repeat(min)))).toBeUndefined();
    expect(wrong(put('x'.repeat(max)))).toBeUndefined();
    // One character, two units.
    expect(wrong(put('𝄞'.repeat(max / 2)))).toBeUndefined();
    const message = `activity.${path}: must be text of ${min} to ${max} characters`;
    expect(wrong(put('x'.repeat(min - 1)))).toBe(message);
    expect(wrong(put('x'.repeat(max + 1)))).toBe(message);
    expect(wrong(put(5))).toBe(message);
    // Of a good length, and no text.
    expect(wrong(put(Array(min).fill('x')))).toBe(message);
  });

  const links: [string, (value: unknown) => object, number][] = [
    ['state_url', (state_url) => ({ state_url }), 256],
    ['details_url', (details_url) => ({ details_url }), 256],
    ['assets.large_url', (large_url) => ({ assets: { large_url } }), 256],
    ['assets.small_url', (small_url) => ({ assets: { small_url } }), 256],
    ['buttons[0].url', (link) => ({ buttons: [{ label: 'x', url: link }] }), 512],
  ];
  it.each(links)('apply to the URL %s', (path, put, max) => {
    expect(wrong(put(url(max)))).toBeUndefined();
    expect(wrong(put(url(max + 1)))).toBe(`activity.${path}: must be text of 2 to ${max} characters`);
    expect(wrong(put('no address'))).toBe(`activity.${path}: must be a valid URI`);
  });

  it.each<[object, string]>([
    [{ type: 1 }, 'activity.type: must be one of 0,2,3,5'],
    [{ type: 4 }, 'activity.type: must be one of 0,2,3,5'],
    [{ status_display_type: 3 }, 'activity.status_display_type: must be one of 0,1,2'],
    [{ instance: 1 }, 'activity.instance: must be one of true,false'],
    [{ timestamps: { start: 0 } }, 'activity.timestamps.start: must be a number from 1'],
    [{ timestamps: { end: new Date(Number.NaN) } }, 'activity.timestamps.end: must be a number from 1'],
    [{ party: { size: [1] } }, 'activity.party.size: must be a list of 2 to 2'],
    [{ party: { size: [1, -2] } }, 'activity.party.size: must be a number from 0'],
    [{ party: { privacy: 2 } }, 'activity.party.privacy: must be one of 0,1'],
    [{ buttons: [] }, 'activity.buttons: must be a list of 1 to 2'],
    [{ buttons: [1, 2, 3] }, 'activity.buttons: must be a list of 1 to 2'],
    [{ buttons: [{ label: 'x' }] }, 'activity.buttons[0].url: must be text of 2 to 512 characters'],
    [
      { buttons: [{ label: 'x', url: url(40) }, null] },
      'activity.buttons[1].label: must be text of 1 to 32 characters',
    ],
    [{ supported_platforms: [] }, 'activity.supported_platforms: must be a list of 1 to 10'],
    [{ supported_platforms: [''] }, 'activity.supported_platforms: must be text of 1 to 32 characters'],
  ])('reject %j with the message %s', (activity, message) => {
    expect(wrong(activity)).toBe(message);
  });

  it.each<[string, object, string]>([
    [
      'a secret that equals the party id',
      { party: { id: 'crew' }, secrets: { match: 'tide', join: 'crew' } },
      'activity.secrets.join: must be another text than party.id ("crew")',
    ],
    [
      'two equal secrets',
      { secrets: { join: 'same', spectate: 'other', match: 'same' } },
      'activity.secrets.match: must be another text than secrets.join',
    ],
    [
      'secrets beside buttons',
      { secrets: { join: 'secret' }, buttons: [{ label: 'x', url: url(40) }] },
      'activity.secrets.join: must be unset where there are buttons',
    ],
  ])('reject %s (error 5005)', (_what, activity, message) => {
    expect(wrong(activity)).toBe(message);
  });
});

it('wireActivity converts dates to milliseconds and passes all other members unchanged', () => {
  const activity = {
    name: 'River',
    type: 2,
    details: undefined,
    state: null,
    timestamps: { start: new Date(1_700_000_000_000), end: 1_700_000_001_000 },
    assets: { large_image: 'boat', large_url: url(40) },
    party: { id: 'party', size: [1, 4], privacy: 1 },
    secrets: { join: 'secret' },
    status_display_type: 2,
    supported_platforms: ['desktop'],
    something_new: { kept: true },
  } as const;
  expect(wireActivity(activity)).toEqual({
    ...activity,
    timestamps: { start: 1_700_000_000_000, end: 1_700_000_001_000 },
  });
  expect(wireActivity({ details: 'By the river' })).toEqual({ details: 'By the river' });
});
