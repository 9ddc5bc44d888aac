import type { TextNode } from './nodes.ts';

/** Maximum number of emoji that are drawn large. */
const MAX_JUMBO = 30;
const MAX_CHARS = 400;
const SIGN = String.raw`\p{Regional_Indicator}{2}|[#*0-9]\uFE0F?\u20E3|\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)*`;
const SIGNS = new RegExp(SIGN, 'gu');

/** Whether a text is made of emoji alone, and of few of them: clients draw those large. */
export function isJumbo(nodes: readonly TextNode[]): boolean {
  let count = 0;
  for (const node of nodes) {
    if (node.type === 'emoji') count += 1;
    else if (node.type !== 'text' || node.text.length > MAX_CHARS) return false;
    else {
      count += node.text.match(SIGNS)?.length ?? 0;
      if (node.text.replace(SIGNS, '').trim() !== '') return false;
    }
  }
  return count > 0 && count <= MAX_JUMBO;
}
