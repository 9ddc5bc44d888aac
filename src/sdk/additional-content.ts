import { AdditionalContentType } from './enums.ts';
import { nullObject, SdkObject } from './object.ts';
import { member, numberOf, objectsOf, text } from './raw.ts';
import type { Raw } from './service.ts';
import { nameIn, optionalEnum, optionalText } from './values.ts';

/** The bit of a message that is a recording. */
const VOICE_MESSAGE = 1 << 13;
/** The largest number of the SDK's type uint8. */
const MOST = 255;

interface Fields {
  type: AdditionalContentType;
  title: string | undefined;
  count: number;
}

/** What a message holds besides text, so that a game can say that there is more. */
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

  /** How many there are of the kind; 255 where there are more. */
  Count(): number {
    return this.read('count');
  }

  SetCount(value: number | undefined): void {
    const count = value ?? 0;
    if (!Number.isInteger(count) || count < 0 || count > MOST)
      throw new RangeError(`Count: must be a whole number from 0 to ${MOST}`);
    this.write('count', count);
  }

  /** Whether both have the same in every field. Throws TypeError for what is no AdditionalContent. */
  Equals(other: AdditionalContent): boolean {
    return this.same(other);
  }
}

/** What a message holds besides text: of several kinds, what a game can say least of. Undefined where it is text alone. */
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
  made.SetCount(Math.min(count, MOST));
  return made;
}
