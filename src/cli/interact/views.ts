/** Component of a message or modal in the bridge's answer. */
export interface ComponentView {
  readonly type: number;
  readonly custom_id?: string;
  readonly label?: string;
  readonly description?: string;
  readonly disabled?: boolean;
  readonly required?: boolean;
  readonly style?: number;
  readonly url?: string;
  readonly sku_id?: string;
  readonly content?: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly min_values?: number;
  readonly max_values?: number;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly file_types?: readonly string[];
  readonly options?: readonly {
    readonly label: string;
    readonly value: string;
    readonly default?: boolean;
  }[];
  readonly emoji?: { readonly name?: string | null };
  readonly media?: { readonly url?: string };
  readonly file?: { readonly url?: string };
  readonly items?: readonly { readonly media?: { readonly url?: string } }[];
  readonly components?: readonly ComponentView[];
  readonly component?: ComponentView;
  readonly accessory?: ComponentView;
}

/** Printed part of an embed. */
export interface EmbedView {
  readonly title?: string;
  readonly description?: string;
  readonly url?: string;
  readonly author?: { readonly name?: string };
  readonly footer?: { readonly text?: string };
  readonly image?: { readonly url?: string };
  readonly fields?: readonly { readonly name: string; readonly value: string }[];
}

/** Message of an application. */
export interface MessageView {
  readonly id: string;
  readonly content: string;
  readonly ephemeral: boolean;
  readonly embeds?: readonly EmbedView[];
  readonly attachments?: readonly {
    readonly filename: string;
    readonly size: number;
    readonly url: string;
  }[];
  readonly components?: readonly ComponentView[];
  readonly poll?: { readonly question?: { readonly text?: string } };
}

/** Modal that an application opened. */
export interface ModalView {
  readonly custom_id: string;
  readonly title: string;
  readonly components: readonly ComponentView[];
}

/** Interaction of a user with an application and its result, in the bridge's answer. */
export interface InteractionView {
  readonly id: string;
  readonly type: 'command' | 'component' | 'autocomplete' | 'modal';
  readonly application: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly username: string };
  readonly channel: { readonly id: string; readonly name: string | null };
  readonly used: string;
  readonly state: string;
  readonly reason?: string;
  readonly message?: MessageView;
  readonly is_update?: boolean;
  readonly modal?: ModalView;
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[];
  readonly instance?: string;
  readonly follow_ups: readonly MessageView[];
}
