import { describe, expect, it } from 'vitest';
import {
  isRuleWhole,
  isTimeOf,
  nextTime,
  type RecurrenceRule,
} from '../../../../src/emulator/guilds/events/recurrence.ts';

const rule = (more: Partial<RecurrenceRule>): RecurrenceRule => ({
  start: '2026-03-02T18:00:00Z',
  frequency: 3,
  interval: 1,
  by_weekday: [],
  by_n_weekday: [],
  by_month: [],
  by_month_day: [],
  ...more,
});

/** The first times of a rule after its start. */
function times(given: RecurrenceRule, many = 4): string[] {
  const found: string[] = [];
  let at = Date.parse(given.start);
  for (let n = 0; n < many; n += 1) {
    at = nextTime(given, at) ?? Number.NaN;
    expect(isTimeOf(given, at)).toBe(true);
    found.push(new Date(at).toISOString().slice(0, 13));
  }
  return found;
}

describe('a recurrence rule', () => {
  it.each<[string, Partial<RecurrenceRule>, string[]]>([
    ['every day', {}, ['2026-03-03T18', '2026-03-04T18', '2026-03-05T18', '2026-03-06T18']],
    [
      'from Monday to Friday',
      { start: '2026-03-05T18:00:00Z', by_weekday: [0, 1, 2, 3, 4] },
      ['2026-03-06T18', '2026-03-09T18', '2026-03-10T18', '2026-03-11T18'],
    ],
    [
      'every Monday',
      { frequency: 2, by_weekday: [0] },
      ['2026-03-09T18', '2026-03-16T18', '2026-03-23T18', '2026-03-30T18'],
    ],
    [
      'every other Monday',
      { frequency: 2, interval: 2, by_weekday: [0] },
      ['2026-03-16T18', '2026-03-30T18', '2026-04-13T18', '2026-04-27T18'],
    ],
    [
      'on the first Monday of a month',
      { frequency: 1, by_n_weekday: [{ n: 1, day: 0 }] },
      ['2026-04-06T18', '2026-05-04T18', '2026-06-01T18', '2026-07-06T18'],
    ],
    [
      'on the fifth Sunday of a month',
      { frequency: 1, by_n_weekday: [{ n: 5, day: 6 }] },
      ['2026-03-29T18', '2026-05-31T18', '2026-08-30T18', '2026-11-29T18'],
    ],
    [
      'on the 29th of February',
      { frequency: 0, by_month: [2], by_month_day: [29] },
      ['2028-02-29T18', '2032-02-29T18', '2036-02-29T18', '2040-02-29T18'],
    ],
  ])('recurs %s', (_, more, expected) => {
    expect(times(rule(more))).toEqual(expected);
  });

  it('has no times before its start, at another hour or on another day', () => {
    const weekly = rule({ frequency: 2, by_weekday: [0] });
    for (const time of ['2026-02-23T18:00:00Z', '2026-03-09T18:00:01Z', '2026-03-10T18:00:00Z']) {
      expect(isTimeOf(weekly, Date.parse(time))).toBe(false);
    }
    expect(nextTime(weekly, 0)).toBe(Date.parse(weekly.start));
  });

  it('that never recurs has no next time', () => {
    expect(nextTime(rule({ frequency: 0, by_month: [2], by_month_day: [30] }), 0)).toBeUndefined();
  });

  it.each<[string, Partial<RecurrenceRule>]>([
    ['a set of weekdays that is not known', { by_weekday: [0, 2] }],
    ['every other day', { interval: 2 }],
    ['two days of a week', { frequency: 2, by_weekday: [0, 1] }],
    ['no day of a week', { frequency: 2 }],
    ['a month by its day alone', { frequency: 1, by_month_day: [7] }],
    ['a year without a day', { frequency: 0, by_month: [7] }],
    ['two ways at once', { frequency: 0, by_month: [7], by_month_day: [24], by_weekday: [0] }],
  ])('is invalid for %s', (_, more) => {
    expect(isRuleWhole(rule(more))).toBe(false);
  });

  const n_weekday = [{ n: 1, day: 0 }];
  it.each<[string, Partial<RecurrenceRule>]>([
    ['every day', {}],
    ...[
      [0, 1, 2, 3, 4],
      [4, 3, 2, 1, 0],
      [1, 2, 3, 4, 5],
      [6, 3, 2, 1, 0],
      [4, 5],
      [5, 6],
      [6, 0],
    ].map((by_weekday): [string, Partial<RecurrenceRule>] => [
      `weekdays ${by_weekday.join()}`,
      { by_weekday },
    ]),
    ['every week', { frequency: 2, by_weekday: [3] }],
    ['every other week', { frequency: 2, interval: 2, by_weekday: [3] }],
    ['a weekday of each month', { frequency: 1, by_n_weekday: n_weekday }],
    ['a day of each year', { frequency: 0, by_month: [7], by_month_day: [24] }],
  ])('is valid for %s', (_, more) => {
    expect(isRuleWhole(rule(more))).toBe(true);
  });

  /** What each frequency needs, and what it may not have besides. */
  const NEEDS: readonly Partial<RecurrenceRule>[] = [
    { frequency: 0, by_month: [7], by_month_day: [24] },
    { frequency: 1, by_n_weekday: n_weekday },
    { frequency: 2, by_weekday: [3] },
    { frequency: 3, by_weekday: [4, 5] },
    { frequency: 3 },
  ];
  const PARTS: Partial<RecurrenceRule> = {
    by_weekday: [4],
    by_n_weekday: n_weekday,
    by_month: [7],
    by_month_day: [24],
  };
  it.each(NEEDS)('of %j has nothing more and nothing less', (needs) => {
    for (const [part, value] of Object.entries(PARTS)) {
      const more = { ...needs, [part]: part in needs ? [] : value };
      // A rule of each day may have weekdays of a known set, or none.
      if (needs.frequency === 3 && part === 'by_weekday' && part in needs) continue;
      expect(isRuleWhole(rule(more)), part).toBe(false);
    }
    if (needs.frequency !== 2) expect(isRuleWhole(rule({ ...needs, interval: 2 }))).toBe(false);
    expect(isRuleWhole(rule({ ...needs, frequency: 4 }))).toBe(false);
  });

  it('of weeks counts from Monday, wherever in its week it starts', () => {
    const sundays = rule({ start: '2026-03-01T18:00:00Z', frequency: 2, interval: 2, by_weekday: [6] });
    expect(times(sundays, 2)).toEqual(['2026-03-15T18', '2026-03-29T18']);
    const thursdays = rule({ start: '2026-03-01T18:00:00Z', frequency: 2, interval: 2, by_weekday: [3] });
    expect(times(thursdays, 2)).toEqual(['2026-03-12T18', '2026-03-26T18']);
    expect(isTimeOf(sundays, Date.parse('2026-03-08T18:00:00Z'))).toBe(false);
    expect(isTimeOf(sundays, Date.parse(sundays.start))).toBe(true);
  });

  it('has its next time strictly after the one that is asked for', () => {
    const daily = rule({});
    const start = Date.parse(daily.start);
    expect(nextTime(daily, start - 1)).toBe(start);
    expect(nextTime(daily, start)).toBe(start + 86_400_000);
    expect(nextTime(daily, start + 86_399_999)).toBe(start + 86_400_000);
    // The eighth of a month is in its second week.
    const second = rule({ frequency: 1, by_n_weekday: [{ n: 2, day: 6 }] });
    expect(times(second, 2)).toEqual(['2026-03-08T18', '2026-04-12T18']);
  });
});
