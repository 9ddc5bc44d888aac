/** A message that an application answered with, as whoever used it sees it: the platform's message object, and who sees it. */
export interface PlayedMessage {
  readonly id: string;
  readonly channel_id: string;
  readonly content: string;
  readonly flags: number;
  readonly embeds: readonly Readonly<Record<string, unknown>>[];
  readonly components: readonly Readonly<Record<string, unknown>>[];
  readonly attachments: readonly { readonly id: string; readonly filename: string; readonly url: string }[];
  /** Only who used the application sees it. */
  readonly ephemeral: boolean;
}

/** What somebody did with an application, and what became of it so far. */
export interface PlayedInteraction {
  readonly id: string;
  readonly type: 'command' | 'component' | 'autocomplete' | 'modal';
  readonly application: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly username: string };
  /** The name is null in private. */
  readonly channel: { readonly id: string; readonly name: string | null };
  /** Such as `/berth book`, or the custom id of a component or a modal. */
  readonly used: string;
  /**
   * `deferred`: it is thinking, or will change the message; `failed`: it did not answer within 3 seconds of the clock, or with
   * what nobody can show, and `reason` says why; `waiting`: nothing came, and the clock stands.
   */
  readonly state:
    | 'waiting'
    | 'deferred'
    | 'answered'
    | 'modal'
    | 'choices'
    | 'premium'
    | 'launched'
    | 'failed';
  readonly reason?: string;
  /** What was written or, where `is_update` says so, the message whose component was used. Absent where it was deleted. */
  readonly message?: PlayedMessage;
  readonly is_update?: boolean;
  /** What was opened; `interaction.submit` with the id of this interaction sends it. */
  readonly modal?: {
    readonly custom_id: string;
    readonly title: string;
    readonly components: readonly Readonly<Record<string, unknown>>[];
  };
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[];
  /** Id of the activity that was launched. */
  readonly instance?: string;
  /** What the application wrote besides, oldest first. */
  readonly follow_ups: readonly PlayedMessage[];
}
