import * as z from 'zod';
import type { Environment } from '../../platform/endpoint/endpoints.ts';
import type { OperatingSystem } from '../../platform/operating-system.ts';
import { adminOperationsFor } from '../base/admin-operation.ts';
import type { ControlSource } from '../control/routes.ts';
import type { PictureRequest } from '../picture/page.ts';
import type { Picture, Pictures } from '../picture/pictures.ts';
import { MAX_WIDTH, MIN_WIDTH, USUAL_WIDTH } from '../picture/size.ts';
import { backendOf } from './console.ts';

/** Pictures of messages, by a browser that the bridge starts with the first one and ends with itself. */
export interface OwnPictures {
  take(request: PictureRequest): Promise<Picture>;
  close(): Promise<void>;
}

const operation = adminOperationsFor<{ readonly pictures: OwnPictures }>();

/** Operations of a bridge that draws pictures. */
export const pictureOperations = [
  operation({
    name: 'message.picture',
    summary: 'A message as the console draws it, as a PNG',
    about:
      'Only a private bridge offers it, of startEmulator() or "footbridge emulate"; "footbridge emulator picture" draws ' +
      'the messages of every bridge. It needs a Chromium, Chrome or Edge on this machine.',
    args: () =>
      z.object({
        message: z.string().check(z.minLength(1), z.maxLength(100)),
        user: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
        part: z.optional(z.enum(['surface', 'viewport'])),
        theme: z.optional(z.enum(['light', 'dark'])),
        width: z.optional(z.int().check(z.gte(MIN_WIDTH), z.lte(MAX_WIDTH))),
      }),
    result: () =>
      z.object({
        png: z.string(),
        width: z.number(),
        height: z.number(),
        browser: z.string(),
        fonts: z.array(z.string()),
        sandboxed: z.boolean(),
      }),
    async run({ pictures }, { message, user, part = 'surface', theme = 'light', width = USUAL_WIDTH }) {
      const { png, ...facts } = await pictures.take({ message, user, part, theme, width });
      return { png: Buffer.from(png).toString('base64'), ...facts };
    },
  }),
] as const;

/** Reports are for operators: the page of a picture requests none. */
const noReport = (): Promise<never> => Promise.reject(new Error('a page of pictures has no reports'));

/** Pictures that load nothing before the first one. */
export function ownPictures(
  { name: os, uid, native }: Pick<OperatingSystem, 'name' | 'uid' | 'native'>,
  env: Environment,
  source: () => ControlSource,
): OwnPictures {
  let loaded: Promise<Pictures> | undefined;
  const load = async (): Promise<Pictures> => {
    const module = await import('../picture/pictures.ts');
    const backend = backendOf({ doctor: noReport, bugreport: noReport }, source);
    return new module.Pictures({ os, uid, native, env, backend });
  };
  return {
    async take(request) {
      loaded ??= load();
      return (await loaded).take(request);
    },
    close: async () => (await loaded?.catch(() => undefined))?.close(),
  };
}
