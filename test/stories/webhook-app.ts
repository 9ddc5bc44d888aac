// discord-interactions stands between us and the application, as its middleware does in one: nothing else looks at a signature.
import { verifyKey } from 'discord-interactions';
import { botTokenOf } from '../../src/emulator/applications/bot.ts';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { listening } from '../helpers/http-listener.ts';

/** One request, and what the verifier says of it. */
interface Delivery {
  readonly isGenuine: boolean;
  readonly body: {
    readonly type: number;
    readonly application_id: string;
    readonly event?: { readonly type: string; readonly data: Readonly<Record<string, unknown>> };
  };
}

/** An application that answers as its `verifyKey` says, and tells what came. */
export async function application(publicKey: string) {
  const deliveries: Delivery[] = [];
  const url = await listening((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const [signature, timestamp] = ['x-signature-ed25519', 'x-signature-timestamp'].map((name) =>
        String(request.headers[name]),
      );
      void verifyKey(raw, signature ?? '', timestamp ?? '', publicKey).then((isGenuine) => {
        deliveries.push({ isGenuine, body: JSON.parse(raw.toString('utf8')) });
        response.writeHead(isGenuine ? 204 : 401).end();
      });
    });
  });
  const events = () => deliveries.filter(({ body }) => body.type === 1).map(({ body }) => body.event);
  return { url, deliveries, events };
}

/** The public key of the first application, as its bot reads it. */
export async function verifyKeyOf({ api }: TestEmulator): Promise<string> {
  const headers = { authorization: `Bot ${botTokenOf({ id: '300000000000000001', bot_token: null })}` };
  const answer = await fetch(`${api}/v10/applications/@me`, { headers });
  return ((await answer.json()) as { readonly verify_key: string }).verify_key;
}
