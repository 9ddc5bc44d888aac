import { AdditionalContentType } from './enums.ts';
import { nullObject, SdkObject } from './object.ts';
import { member, numberOf, objectsOf, type Raw, text } from './raw.ts';
import { nameIn, optionalEnum, optionalText } from './values.ts';

/** Message flag: voice message. */
const VOICE_MESSAGE = 1 << 13;
/** Maximum of the SDK's type uint8. */
const MAX_UINT8 = 255;

interface Fields {
  type: AdditionalContentType;
  title: string | undefined;
  count: number;
}

/** Content of a message besides text, which a game can mention to its player. */
export class AdditionalContent extends SdkObject<Fields> {
  static readonly nullobj = nullObject('AdditionalContent', new AdditionalContent(), new AdditionalContent());

  constructor(other?: AdditionalContent) {
    super(other, { type: AdditionalContentType.Other, title: undefined, count: 0 });
  }

  /** The name of a kind. */
  static TypeToString(type: AdditionalContentType): string {
    return nameIn(AdditionalContentType, type);
  }

  Type(): AdditionalContentType {
    return this.read('type');
  }

  SetType(value: AdditionalContentType | undefined): void {
    this.write('type', optionalEnum('Type', value, AdditionalContentType) ?? AdditionalContentType.Other);
  }

  /** Of a poll or a thread. */
  Title(): string | undefined {
    return this.read('title');
  }

  SetTitle(value: string | undefined): void {
    this.write('title', optionalText('Title', value));
  }

  /** Number of items of this kind; 255 for more than 255. */
  Count(): number {
    return this.read('count');
  }

  SetCount(value: number | undefined): void {
    const count = value ?? 0;
    if (!Number.isInteger(count) || count < 0 || count > MAX_UINT8)
      throw new RangeError(`Count: must be a whole number from 0 to ${MAX_UINT8}`);
    this.write('count', count);
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
