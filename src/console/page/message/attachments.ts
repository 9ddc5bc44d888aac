import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { sizeText } from '../../../message-text/plain.ts';
import { hasFlag, numberOf, textOf } from '../../../message-text/shape.ts';
import { Icon } from '../parts/icon.ts';
import { useDrawing } from './drawing.ts';
import { Picture } from './picture.ts';
import { Spoiler } from './spoiler.ts';

/** Flag of a file that is a spoiler. */
const SPOILER = 1 << 3;

/** Files of a message: pictures in a grid, then all others as cards. */
export function Attachments({
  message,
  files,
}: {
  readonly message: object;
  readonly files: readonly object[];
}): VNode | null {
  if (files.length === 0) return null;
  const pictures = files.filter(isPicture);
  const others = files.filter((file) => !isPicture(file));
  return html`${
    pictures.length === 0
      ? null
      : html`<div class=${`pictures count-${Math.min(4, pictures.length)}`}>${pictures.map(
          (file) =>
            html`<${Picture} key=${textOf(file, 'id')} url=${textOf(file, 'url')} description=${textOf(file, 'description') || nameOf(file)} isSpoiler=${isSpoiler(file)} />`,
        )}</div>`
  }
    ${others.map((file) => (hasFlag(message, 'voice') ? html`<${VoiceMessage} file=${file} />` : html`<${FileCard} url=${textOf(file, 'url')} name=${nameOf(file)} size=${numberOf(file, 'size')} isSpoiler=${isSpoiler(file)} />`))}` as VNode;
}

function isPicture(file: object): boolean {
  return /^image\/(png|jpeg|gif|webp|avif)/.test(textOf(file, 'content_type'));
}

function isSpoiler(file: object): boolean {
  return ((numberOf(file, 'flags') ?? 0) & SPOILER) !== 0;
}

function nameOf(file: object): string {
  return textOf(file, 'title') || textOf(file, 'filename') || 'file';
}

/** Card of a file, with a link that downloads it where the console stores it. */
export function FileCard({
  url,
  name,
  size,
  isSpoiler: isCovered = false,
}: {
  readonly url: string;
  readonly name: string;
  readonly size: number | undefined;
  readonly isSpoiler?: boolean;
}): VNode {
  const { media, actions } = useDrawing();
  const address = actions === undefined ? undefined : media(url);
  const card = (isInert: boolean) => html`<span class="file-card"><${Icon} name="file" />
    <span class="file-name">${address === undefined || isInert ? html`<bdi>${name}</bdi>` : html`<a href=${address} download=${name}><bdi>${name}</bdi></a>`}
      ${size === undefined ? null : html`<span class="note">${sizeText(size)}</span>`}</span></span>`;
  return (
    isCovered
      ? html`<${Spoiler} block inert=${false} hidden=${card(true)} content=${card(false)} />`
      : card(false)
  ) as VNode;
}

/** Maximum number of drawn bars. */
const MAX_BARS = 64;

function VoiceMessage({ file }: { readonly file: object }): VNode {
  const seconds = Math.max(0, Math.round(numberOf(file, 'duration_secs') ?? 0));
  const bars = loudness(textOf(file, 'waveform'));
  const length = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return html`<span class="file-card voice"><${Icon} name="speech" />
    <svg class="waveform" viewBox=${`0 0 ${bars.length * 3} 32`} preserveAspectRatio="none" aria-hidden="true">
      ${bars.map((height, index) => html`<rect x=${index * 3} y=${16 - height / 2} width="2" height=${height} />`)}</svg>
    <span>Voice message, ${length}</span></span>` as VNode;
}

/** Heights of the bars of a waveform in base64. */
function loudness(waveform: string): readonly number[] {
  let bytes: string;
  try {
    bytes = atob(waveform.slice(0, 400));
  } catch {
    bytes = '';
  }
  const heights = Array.from(bytes.slice(0, MAX_BARS), (byte) => Math.max(2, byte.charCodeAt(0) / 8));
  return heights.length === 0 ? [2, 2, 2] : heights;
}
