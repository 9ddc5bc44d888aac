import { AdditionalContentType } from './enums.ts';
import { bounded, choice, objectOf, unsetText } from './fields.ts';
import { nullObject } from './object.ts';
import { member, numberOf, objectsOf, type Raw, text } from './raw.ts';
import { nameIn } from './values.ts';

/** Message flag: voice message. */
const VOICE_MESSAGE = 1 << 13;
/** Maximum of the SDK's type uint8. */
const MAX_UINT8 = 255;

/** Content of a message besides text, which a game can mention to its player. */
export class AdditionalContent extends objectOf({
  Type: choice<AdditionalContentType>(AdditionalContentType, AdditionalContentType.Other),
  /** Of a poll or a thread. */
  Title: unsetText,
  /** Number of items of this kind; 255 for more than 255. */
  Count: bounded(MAX_UINT8, `a whole number from 0 to ${MAX_UINT8}`),
}) {
  static readonly nullobj = nullObject('AdditionalContent', new AdditionalContent(), new AdditionalContent());

  /** The name of a kind. */
  static TypeToString(type: AdditionalContentType): string {
    return nameIn(AdditionalContentType, type);
  }

  /** Whether all fields of both are equal. Throws TypeError for a value that is not an AdditionalContent. */
  Equals(other: AdditionalContent): boolean {
    return this.same(other);
  }
}

/**
 * Returns the content of a message besides its text, or undefined for a message of text alone. Of several kinds it
 * returns the one that a game can describe least.
 */
export function additionalContentOf(message: Raw): AdditionalContent | undefined {
  const { Attachment, Embed, Other, Poll, Sticker, Thread, VoiceMessage } = AdditionalContentType;
  const { poll, thread } = message as { readonly poll?: unknown; readonly thread?: unknown };
  const isRecording = (numberOf(message['flags']) & VOICE_MESSAGE) !== 0;
  const kinds: readonly (readonly [AdditionalContentType, number, string?])[] = [
    [Poll, objectsOf([poll]).length, text(member(member(poll, 'question'), 'text'))],
    [isRecording ? VoiceMessage : Attachment, objectsOf(message['attachments']).length],
    [Thread, objectsOf([thread]).length, text(member(thread, 'name'))],
    [Sticker, objectsOf(message['sticker_items']).length],
    [Embed, objectsOf(message['embeds']).length],
    [Other, objectsOf(message['message_snapshots']).length || objectsOf(message['components']).length],
  ];
  const found = kinds.find(([, count]) => count > 0);
  if (found === undefined) return undefined;
  const [type, count, title] = found;
  const made = new AdditionalContent();
  made.SetType(type);
  made.SetTitle(title || undefined);
  made.SetCount(Math.min(count, MAX_UINT8));
  return made;
}
