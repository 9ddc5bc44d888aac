/** What is wrong with a Lottie animation, by the number that the platform has for it. */
export interface LottieFault {
  readonly code: number;
  readonly message: string;
}

const LARGEST_SIDE = 320;
const MOST_FRAMES = 1000;
const LONGEST_SECONDS = 5;
const FASTEST = 60;
const DEEPEST = 64;

/** What is wrong with a Lottie animation as a sticker; undefined for one that can be one. */
export function faultOfLottie(bytes: Buffer): LottieFault | undefined {
  const invalid = { code: 170_001, message: 'Invalid JSON for uploaded Lottie file' };
  let animation: unknown;
  try {
    animation = JSON.parse(bytes.toString('utf8'));
  } catch {
    return invalid;
  }
  const { fr, ip, op, w, h, layers, assets } = { ...(animation as Record<string, unknown>) };
  const numbers = [fr, ip, op, w, h];
  if (!numbers.every((one): one is number => typeof one === 'number') || !Array.isArray(layers))
    return invalid;
  const [rate = 0, first = 0, last = 0, width = 0, height = 0] = numbers;
  if (hasRaster(assets, 0)) {
    const message = 'Uploaded Lotties cannot contain rasterized images such as PNG or JPEG';
    return { code: 170_002, message };
  }
  if (rate > FASTEST) return { code: 170_003, message: 'Sticker maximum framerate exceeded' };
  if (!(rate >= 1)) return { code: 170_006, message: 'Sticker frame rate is either too small or too large' };
  if (last - first > MOST_FRAMES) {
    return { code: 170_004, message: `Sticker frame count exceeds maximum of ${MOST_FRAMES} frames` };
  }
  if (width > LARGEST_SIDE || height > LARGEST_SIDE) {
    return { code: 170_005, message: 'Lottie animation maximum dimensions exceeded' };
  }
  if ((last - first) / rate > LONGEST_SECONDS) {
    return { code: 170_007, message: 'Sticker animation duration exceeds maximum of 5 seconds' };
  }
  return undefined;
}

/** Whether a list of assets has a picture in it: one has a path of its own, others have layers. */
function hasRaster(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false;
  if (typeof (value as { p?: unknown }).p === 'string') return true;
  return Object.values(value).some((inner) => hasRaster(inner, depth + 1));
}
