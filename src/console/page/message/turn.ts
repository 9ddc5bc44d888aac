import { useEffect, useState } from 'preact/hooks';

/** Characters of JSON that are drawn in one frame, so that a channel of hostile messages does not block the browser. */
const FRAME_CHARS = 8_000;

interface Waiting {
  readonly chars: number;
  readonly draw: () => void;
}

const waiting: Waiting[] = [];
let left = FRAME_CHARS;
let isRequested = false;

function nextFrame(): void {
  isRequested = false;
  left = FRAME_CHARS;
  while (left > 0) {
    const next = waiting.shift();
    if (next === undefined) return;
    left -= next.chars;
    next.draw();
  }
  request();
}

function request(): void {
  if (isRequested) return;
  isRequested = true;
  requestAnimationFrame(nextFrame);
}

/** Takes a part of this frame; false when nothing is left of it. The first part of a frame always fits. */
function take(chars: number): boolean {
  request();
  if (left <= 0) return false;
  left -= chars;
  return true;
}

/** Whether a part of this size is drawn now; otherwise it is drawn in one of the next frames. The size is read once. */
export function useTurn(charsOf: () => number): boolean {
  const [chars] = useState(charsOf);
  const [isDrawn, setDrawn] = useState(() => take(chars));
  useEffect(() => {
    if (isDrawn) return undefined;
    const one = { chars, draw: () => setDrawn(true) };
    waiting.push(one);
    request();
    return () => {
      const index = waiting.indexOf(one);
      if (index !== -1) waiting.splice(index, 1);
    };
  }, [isDrawn]);
  return isDrawn;
}
