import { expect, it } from 'vitest';
import { image, moment } from '../../../src/emulator/api/fields.ts';

it.each(['2027-02-29T00:00:00Z', '2027-02-30T12:00:00+01:00', '2027-04-31T00:00:00', '2027-13-01T00:00:00Z'])(
  'moment() refuses a date that does not exist: %s',
  (text) => {
    expect(moment().safeParse(text).success).toBe(false);
  },
);

it('moment() uses the time zone of the text, or UTC', () => {
  expect(moment().parse('2028-02-29T00:30:00+01:00')).toBe(Date.UTC(2028, 1, 28, 23, 30));
  expect(moment().parse('2027-01-01T00:00:00')).toBe(Date.UTC(2027, 0, 1));
});

it.each(['png', 'jpeg', 'jpg', 'gif', 'webp'])('image() accepts a picture of type image/%s', (type) => {
  expect(image().safeParse(`data:image/${type};base64,iVBORw0KGgo=`).success).toBe(true);
});

it('image() refuses a picture of another type, and a plain text', () => {
  for (const wrong of ['data:image/svg+xml;base64,AAAA', 'data:text/html;base64,AAAA', 'AAAA']) {
    expect(image().safeParse(wrong).success).toBe(false);
  }
});
