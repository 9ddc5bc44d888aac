/** A modal that an application opened. */
export interface Modal {
  readonly custom_id: string;
  readonly title: string;
  readonly components: readonly ModalComponent[];
}

/** An input field with its limits. */
export interface ModalInput {
  /** Component type: 3 to 8, 19, 21, 22 or 23. A text input has type 4. */
  readonly type: number;
  readonly id: number;
  readonly custom_id: string;
  /** Always false for a checkbox. */
  readonly required: boolean;
  readonly options?: readonly ModalOption[];
  readonly min_values?: number;
  readonly max_values?: number;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly value?: string;
  readonly style?: number;
  readonly placeholder?: string;
  /** For a checkbox. */
  readonly default?: boolean;
  readonly default_values?: readonly { readonly id: string; readonly type: string }[];
  readonly channel_types?: readonly number[];
  /** Allowed file types in lower case; without this list, every file is allowed. */
  readonly file_types?: readonly string[];
  /** Label of a text input that is in an action row. */
  readonly label?: string;
}

/** An option of a field. */
export interface ModalOption {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
  readonly default?: boolean;
}

/** A component of a modal. */
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
