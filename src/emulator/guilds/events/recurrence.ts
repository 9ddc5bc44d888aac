/** Recurrence rule of an event, in the platform's format. Days and months are in UTC. */
export interface RecurrenceRule {
  /** Start of the first occurrence, in ISO 8601. */
  readonly start: string;
  /** Frequency: 0 yearly, 1 monthly, 2 weekly, 3 daily. */
  readonly frequency: number;
  /** Interval between occurrences, in units of the frequency (years, months, weeks or days). */
  readonly interval: number;
  /** 0 is Monday. */
  readonly by_weekday: readonly number[];
  readonly by_n_weekday: readonly { readonly n: number; readonly day: number }[];
  /** 1 is January. */
  readonly by_month: readonly number[];
  readonly by_month_day: readonly number[];
}

const [YEARLY, MONTHLY, WEEKLY, DAILY] = [0, 1, 2, 3];
const DAY_MS = 86_400_000;
/** Maximum number of days that are searched for an occurrence. Two dates of 29 February can be eight years apart. */
const MAX_SEARCH_DAYS = 8 * 366 + 1;

/** Sets of weekdays that a daily rule may have; the digit 0 stands for Monday. */
const SETS = ['01234', '12345', '01236', '45', '56', '06'];

/** Whether a rule has exactly the fields that its frequency requires, within the limits of the platform. */
export function isRuleWhole(rule: RecurrenceRule): boolean {
  const { frequency, interval, by_weekday, by_n_weekday, by_month, by_month_day } = rule;
  const fieldLengths = [by_weekday, by_n_weekday, by_month, by_month_day].map(({ length }) => length);
  const hasLengths = (...lengths: readonly number[]): boolean => fieldLengths.join() === lengths.join();
  if (interval !== 1 && frequency !== WEEKLY) return false;
  if (frequency === DAILY) {
    return (
      hasLengths(0, 0, 0, 0) ||
      (SETS.includes([...by_weekday].sort((a, b) => a - b).join('')) &&
        hasLengths(by_weekday.length, 0, 0, 0))
    );
  }
  if (frequency === WEEKLY) return hasLengths(1, 0, 0, 0);
  if (frequency === MONTHLY) return hasLengths(0, 1, 0, 0);
  return frequency === YEARLY && hasLengths(0, 0, 1, 1);
}

/** First occurrence after a time, both in milliseconds; undefined for a rule without a later occurrence. */
export function nextTime(rule: RecurrenceRule, after: number): number | undefined {
  const start = Date.parse(rule.start);
  const days = Math.max(0, Math.floor((after - start) / DAY_MS));
  for (let day = days; day <= days + MAX_SEARCH_DAYS; day += 1) {
    const time = start + day * DAY_MS;
    if (time > after && isDayOf(rule, time)) return time;
  }
  return undefined;
}

/** Whether a time (ms) is an occurrence of the rule. */
export function isTimeOf(rule: RecurrenceRule, time: number): boolean {
  const since = time - Date.parse(rule.start);
  return since >= 0 && since % DAY_MS === 0 && isDayOf(rule, time);
}

function isDayOf(
  { start, frequency, interval, by_weekday, by_n_weekday, by_month, by_month_day }: RecurrenceRule,
  time: number,
): boolean {
  const date = new Date(time);
  const day = weekday(time);
  switch (frequency) {
    case DAILY:
      return by_weekday.length === 0 || by_weekday.includes(day);
    case WEEKLY:
      return by_weekday.includes(day) && (weekOf(time) - weekOf(Date.parse(start))) % interval === 0;
    case MONTHLY:
      return by_n_weekday.some((one) => one.day === day && one.n === Math.ceil(date.getUTCDate() / 7));
    default:
      return by_month.includes(date.getUTCMonth() + 1) && by_month_day.includes(date.getUTCDate());
  }
}

/** 0 is Monday. */
function weekday(time: number): number {
  return (new Date(time).getUTCDay() + 6) % 7;
}

/** Number of the week that contains a time. Weeks begin on Monday, and 1 January 1970 was a Thursday. */
function weekOf(time: number): number {
  return Math.floor((Math.floor(time / DAY_MS) + 3) / 7);
}
