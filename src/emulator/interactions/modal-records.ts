/** A modal as an application has opened it. */
export interface Modal {
  readonly custom_id: string;
  readonly title: string;
  readonly components: readonly ModalComponent[];
}

/** What somebody fills in, with how much of it there has to be. */
export interface ModalInput {
  /** 3 to 8, 19, 21, 22 or 23: a text input is 4. */
  readonly type: number;
  readonly id: number;
  readonly custom_id: string;
  /** Of a Checkbox always false. */
  readonly required: boolean;
  readonly options?: readonly ModalOption[];
  readonly min_values?: number;
  readonly max_values?: number;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly value?: string;
  readonly style?: number;
  readonly placeholder?: string;
  /** Of a Checkbox. */
  readonly default?: boolean;
  readonly default_values?: readonly { readonly id: string; readonly type: string }[];
  readonly channel_types?: readonly number[];
  /** In lower case; none takes every file. */
  readonly file_types?: readonly string[];
  /** Of a text input in an action row. */
  readonly label?: string;
}

/** One of several. */
export interface ModalOption {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
  readonly default?: boolean;
}

/** What stands in a modal. */
export type ModalComponent =
  | { readonly type: 1; readonly id: number; readonly components: readonly ModalInput[] }
  | { readonly type: 10; readonly id: number; readonly content: string }
  | {
      readonly type: 18;
      readonly id: number;
      readonly label: string;
      readonly description?: string;
      readonly component: ModalInput;
    };
