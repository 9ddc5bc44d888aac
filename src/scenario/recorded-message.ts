import { proseWithoutSecrets } from '../journal/without-secrets.ts';
import { partsOf } from './acts.ts';
import type { ScenarioExpectation } from './generated.ts';
import { allTextsIn, buttonsOf, reactionsOf, textsOf } from './messages.ts';
import type { Seen } from './run.ts';

/** What a user sees of a message, as far as expectations name it. */
export interface Look {
  readonly content: string;
  /** Texts besides the content and the labels of buttons. */
  readonly texts: readonly string[];
  readonly buttons: readonly { readonly label: string; readonly isDisabled: boolean }[];
  readonly reactions: readonly string[];
}

/** Fields of an expectation of a message. */
export type LookFields = Partial<Extract<ScenarioExpectation, { readonly expect: 'message' }>>;

/** A message of which nothing is known yet. */
export const UNSEEN: Look = { content: '', texts: [], buttons: [], reactions: [] };

/** Most texts that one expectation names. */
const MAX_TEXTS = 8;
/** Most buttons of a message that are expected, one a step. */
const MAX_BUTTONS = 5;
/** Most characters of one text. */
const MAX_CHARACTERS = 1000;

export function lookOf({ message }: Seen): Look {
  const buttons = buttonsOf(message).map(({ label, isDisabled }) => ({ label, isDisabled }));
  // The choices of a select show only once it is opened.
  const choices = partsOf(message.components ?? []).map((part) => ({ options: part['options'] ?? [] }));
  const apart = new Set([...buttons.map(({ label }) => label), ...textsOf(choices)]);
  const [content = '', ...more] = allTextsIn(message).map(proseWithoutSecrets);
  const texts = more.filter((text) => text !== '' && !apart.has(text));
  return { content, texts, buttons, reactions: reactionsOf(message) };
}

/**
 * What is new in a look, as the fields of expectations: all that one step can say, then further buttons. `isConstant` says
 * whether an id is the same each time.
 */
export function expectedOf(
  now: Look,
  before: Look,
  isConstant: (id: string) => boolean,
): readonly LookFields[] {
  const fresh = now.texts.filter((text) => !before.texts.includes(text));
  const content = now.content === before.content ? '' : now.content;
  const isSame = (at: string): boolean => constantParts(at, isConstant).join('') === at;
  const is = content !== '' && isSame(content) ? content : undefined;
  const parts = [...(is === undefined ? [content] : []), ...fresh].flatMap((text) =>
    tellingOf(text, isConstant),
  );
  const contains = [...new Set(parts)].slice(0, MAX_TEXTS);
  const [first] = contains;
  const [button, ...others] = now.buttons
    .filter(
      (one) => !before.buttons.some((old) => old.label === one.label && old.isDisabled === one.isDisabled),
    )
    .slice(0, MAX_BUTTONS)
    .map(({ label, isDisabled }): LookFields => {
      const wasDisabled = before.buttons.some((old) => old.label === label && old.isDisabled);
      return { button: label, ...(isDisabled || wasDisabled ? { disabled: isDisabled } : {}) };
    });
  const fields: LookFields = {
    ...(is === undefined ? {} : { is }),
    ...(first === undefined ? {} : { contains: contains.length === 1 ? first : contains }),
    ...button,
  };
  return [...(Object.keys(fields).length === 0 ? [] : [fields]), ...others];
}

/** The last part of a text that is the same each time: where a refusal names ids, its reason comes behind them. */
export function lastConstantPart(text: string): string {
  return tellingOf(text, () => false).at(-1) ?? '';
}

/**
 * Parts of a text that differ each time: ids, also in mentions, times in any form, and how long something took; and secrets,
 * which the file does not have.
 */
const VARYING =
  /\[hidden\]|<(?:@[!&]?|#|a?:\w+:|\/[^:<>]+:)?(\d{15,})(?::\w+)?>|\d{15,}|<t:-?\d+(?::\w)?>|\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?|\d{1,2}:\d\d(?::\d\d)?|\d+(?:\.\d+)? ?(?:ms|µs)\b/g;

/** What is the same each time, in the order of a text. */
function constantParts(text: string, isConstant: (id: string) => boolean): readonly string[] {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: varying, 1: id = varying, index } of text.matchAll(VARYING)) {
    if (isConstant(id)) continue;
    parts.push(text.slice(end, index));
    end = index + varying.length;
  }
  return [...parts, text.slice(end)];
}

/** The constant parts of a text that have a letter or a digit; without one, the longest. */
function tellingOf(text: string, isConstant: (id: string) => boolean): readonly string[] {
  const parts = constantParts(text, isConstant)
    .map((part) => part.trim().slice(0, MAX_CHARACTERS))
    .filter((part) => part !== '');
  const telling = parts.filter((part) => /[\p{L}\p{N}]/u.test(part));
  return telling.length > 0 ? telling : parts.toSorted((a, b) => b.length - a.length).slice(0, 1);
}
