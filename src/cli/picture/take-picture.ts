import { constants } from 'node:os';
import type { ControlClient } from '../../control/client.ts';
import type { Io } from '../../daemon/io.ts';
import type { PictureRequest } from '../../picture/page.ts';
import { type Picture, Pictures } from '../../picture/pictures.ts';
import { backendOf } from '../console/run-console.ts';
import { currentHost } from '../daemon-client.ts';

/** Operation of a bridge that draws pictures itself, with a browser that stays for the next ones. */
const OPERATION = 'message.picture';
/** Time limit for a bridge that starts its browser and draws (ms). */
const TIMEOUT_MS = 60_000;
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Draws a message of the running bridge: by the bridge where it offers that, or else by a browser of this command. */
export async function takePicture(client: ControlClient, request: PictureRequest, io: Io): Promise<Picture> {
  const operations = await client.operations();
  if (operations.some(({ name }) => name === OPERATION)) {
    const options = { timeoutMs: TIMEOUT_MS, slowness: 'expected' } as const;
    const { png, ...facts } = (await client.call(OPERATION, request, options)) as Drawn;
    return { ...facts, png: Buffer.from(png, 'base64') };
  }
  // Node ends without its handlers of the exit at a signal, which would leave the profile of the browser.
  const end = (name: (typeof ENDING)[number]): never => process.exit(128 + constants.signals[name]);
  for (const name of ENDING) process.once(name, end);
  const { os, uid } = currentHost();
  const pictures = new Pictures({ os, uid, env: io.env, backend: backendOf(client, io) });
  try {
    return await pictures.take(request);
  } finally {
    await pictures.close();
    for (const name of ENDING) process.off(name, end);
  }
}

type Drawn = Omit<Picture, 'png'> & { readonly png: string };
