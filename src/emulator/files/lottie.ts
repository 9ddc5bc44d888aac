import type { ErrorCodeName } from '../api/error-codes.ts';

/** Error code for an invalid Lottie animation. */
type LottieFault = Extract<ErrorCodeName, `${string}Lottie${string}` | `Sticker${string}`>;

const MAX_SIDE = 320;
const MAX_FRAMES = 1000;
const MAX_SECONDS = 5;
const FASTEST = 60;
const DEEPEST = 64;

/** Error code for a Lottie animation that is not valid as a sticker; undefined for a valid one. */
export function faultOfLottie(bytes: Buffer): LottieFault | undefined {
  let animation: unknown;
  try {
    animation = JSON.parse(bytes.toString('utf8'));
  } catch {
    return 'InvalidJSONForUploadedLottieFile';
  }
  const { fr, ip, op, w, h, layers, assets } = { ...(animation as Record<string, unknown>) };
  const numbers = [fr, ip, op, w, h];
  if (!numbers.every((one): one is number => typeof one === 'number') || !Array.isArray(layers))
    return 'InvalidJSONForUploadedLottieFile';
  const [rate = 0, first = 0, last = 0, width = 0, height = 0] = numbers;
  if (hasRaster(assets, 0)) return 'UploadedLottiesCannotContainRasterizedImages';
  if (rate > FASTEST) return 'StickerMaximumFramerateExceeded';
  if (!(rate >= 1)) return 'StickerFramerateIsTooSmallOrTooLarge';
  if (last - first > MAX_FRAMES) return 'StickerFrameCountExceedsMaximumOf1000Frames';
  if (width > MAX_SIDE || height > MAX_SIDE) return 'LottieAnimationMaximumDimensionsExceeded';
  if ((last - first) / rate > MAX_SECONDS) return 'StickerAnimationDurationExceedsMaximumOf5Seconds';
  return undefined;
}

/** Whether a list of assets contains a raster picture. Such an asset has a path; other assets have layers. */
function hasRaster(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false;
  if (typeof (value as { p?: unknown }).p === 'string') return true;
  return Object.values(value).some((inner) => hasRaster(inner, depth + 1));
}
