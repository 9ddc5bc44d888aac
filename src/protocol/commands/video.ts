import * as z from 'zod';
import { defineCommand, type Refusal } from '../command.ts';
import { allOf } from '../scope.ts';
import { noArgs, nothing } from '../shapes/common.ts';

const noVideo: Refusal = { code: 1000, message: 'Video is not available here' };
const noScreenShare: Refusal = { code: 1000, message: 'Screen sharing is not available here' };

/** Turns the camera on or off. */
export const TOGGLE_VIDEO = defineCommand({
  scope: allOf('rpc', 'rpc.video.write'),
  args: noArgs,
  result: nothing,
  refusal: noVideo,
});

/** Starts or stops sharing the screen of process `pid`. */
export const TOGGLE_SCREENSHARE = defineCommand({
  scope: allOf('rpc', 'rpc.screenshare.write'),
  args: () => z.object({ pid: z.optional(z.int().check(z.gte(0))) }),
  result: nothing,
  refusal: noScreenShare,
});
