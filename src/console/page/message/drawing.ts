import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SelectKind } from '../../../message-text/components.ts';
import type { Names } from '../../../message-text/shape.ts';
import type { Locale } from '../../../message-text/time.ts';

/** Something that a select offers. */
export interface Suggestion {
  /** Value of an option, or the id of a user, a role or a channel. */
  readonly value: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly emoji?: object | undefined;
}

/** Returns what a select of users, roles or channels offers for a text that is typed. */
export type Suggest = (kind: SelectKind, text: string) => Promise<readonly Suggestion[]>;

/** Actions of the viewer on a message. Each rejects with the reason of a refusal, which appears beside its control. */
export interface MessageActions {
  readonly click: (customId: string) => Promise<unknown>;
  readonly choose: (customId: string, values: readonly string[]) => Promise<unknown>;
  /** Adds a reaction, or removes the viewer's own; a custom emoji is `name:id`. */
  readonly react: (emoji: string, isMine: boolean) => Promise<unknown>;
  /** Votes for these answers instead of the earlier ones; none takes the vote back. */
  readonly vote: (answerIds: readonly number[]) => Promise<unknown>;
  readonly reply: () => void;
  /** Absent where the viewer may not delete the message. */
  readonly remove?: (() => Promise<unknown>) | undefined;
  readonly suggest: Suggest;
  /** Address of the traffic about the message. */
  readonly traffic?: string | undefined;
  /** Opens a thread or a channel. */
  readonly open?: ((channelId: string) => void) | undefined;
}

/** What every part of a message is drawn with. */
export interface Drawing {
  readonly names: Names;
  /** Address of a file on the console; undefined where it stores none, because nothing is loaded from elsewhere. */
  readonly media: (url: string) => string | undefined;
  /** Time of drawing (ms since the Unix epoch). */
  readonly now: number;
  /** Language and time zone, where they are not the browser's. */
  readonly locale?: Locale | undefined;
  /** Without them nothing of the message is a control. */
  readonly actions?: MessageActions | undefined;
}

export const DrawingContext = createContext<Drawing>({
  names: { users: {}, roles: {}, channels: {} },
  media: () => undefined,
  now: 0,
});

export function useDrawing(): Drawing {
  return useContext(DrawingContext);
}

/** Style with a colour of a role, an embed or a container; empty for none. */
export function colorStyle(
  name: '--tint' | '--bar',
  color: number | null | undefined,
): Readonly<Record<string, string>> {
  const isColor = typeof color === 'number' && Number.isInteger(color) && color > 0 && color <= 0xff_ff_ff;
  return isColor ? { [name]: `#${color.toString(16).padStart(6, '0')}` } : {};
}
