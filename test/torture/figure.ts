/** One quantity with its goal. */
export interface Figure {
  readonly goal: string;
  /** As people read it, with its unit. */
  readonly measured: string;
  readonly value: number;
  readonly met: boolean;
  /** It is time or memory: another load of the machine gives another value. */
  readonly noisy?: boolean;
}

/** Units of what a busy machine changes. */
const NOISY: readonly string[] = ['ms', 's', 'MB', 'KiB', '%', '×'];

/** One scenario of the torture; it may yield several figures. */
export interface Scenario {
  /** What `--only` names. */
  readonly name: string;
  /** Rows of the threat model. */
  readonly rows: readonly string[];
  /** Limits that differ from the defaults, as they are spelled in the configuration; said in the report. */
  readonly raised: Readonly<Record<string, number>>;
  run(progress: (text: string) => void): Promise<readonly Figure[]>;
}

/** A figure that must not exceed its bound; `note` is added to what was measured. */
export function atMost(
  goal: string,
  value: number,
  bound: number,
  {
    unit,
    digits = 1,
    note = '',
  }: { readonly unit: string; readonly digits?: number; readonly note?: string },
): Figure {
  return {
    goal,
    value,
    met: value <= bound,
    noisy: NOISY.includes(unit),
    measured: `${value.toFixed(digits)} ${unit}${note}`,
  };
}
