/** Style of a timestamp: its letter in `<t:SECONDS:STYLE>`. */
export type TimeStyle = 't' | 'T' | 'd' | 'D' | 'f' | 'F' | 's' | 'S' | 'R';

/** Part of a text with markup. */
export type TextNode =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'strong' | 'em' | 'underline' | 'strike' | 'spoiler' | 'quote' | 'subtext';
      readonly content: readonly TextNode[];
    }
  | { readonly type: 'heading'; readonly level: 1 | 2 | 3; readonly content: readonly TextNode[] }
  | {
      readonly type: 'list';
      /** First number of a numbered list. */
      readonly start: number | undefined;
      readonly items: readonly (readonly TextNode[])[];
    }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'code-block'; readonly language: string; readonly text: string }
  | { readonly type: 'link'; readonly url: string; readonly content: readonly TextNode[] }
  | { readonly type: 'user' | 'role' | 'channel'; readonly id: string }
  | { readonly type: 'everyone'; readonly name: 'everyone' | 'here' }
  | { readonly type: 'command'; readonly name: string }
  | { readonly type: 'navigation'; readonly to: string }
  | { readonly type: 'emoji'; readonly id: string; readonly name: string; readonly animated: boolean }
  | { readonly type: 'time'; readonly at: number; readonly style: TimeStyle };

/** Work that is left for a text; what exceeds it stays plain text. */
export interface Budget {
  /** Characters that may still be compared in the search for the end of a mark. */
  steps: number;
  /** Nodes that may still be made. */
  nodes: number;
}

/** Maximum depth of marks within marks, of quotes and of lists. */
export const MAX_DEPTH = 12;
