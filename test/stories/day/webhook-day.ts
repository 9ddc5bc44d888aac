// The day of a program that knows the address of a webhook and nothing else.
import { expect } from 'vitest';
import type { MessagePlace } from './bot-parts.ts';
import { type BotStage, openBotStage, WORLD } from './bot-stage.ts';
import type { Day } from './day.ts';

/** The steps: what is sent to the address, by `Buoy`. */
export type WebhookParts = {
  /** `High water`. */
  readonly text: (url: string) => Promise<MessagePlace>;
  /** An embed: title Tide table, colour 0x3366ff, the fields High 06:12 and Low 12:20. */
  readonly embeds: (url: string) => Promise<MessagePlace>;
  /** `notes.txt` with the text `06:12 high`, and the text `Low water`. */
  readonly files: (url: string) => Promise<MessagePlace>;
};

async function sentTo(
  { make, look }: BotStage,
  send: (url: string) => Promise<MessagePlace>,
  message: object,
): Promise<void> {
  const { url, id: webhook_id } = await make(`/channels/${WORLD.general}/webhooks`, { name: 'Weather' });
  const { channel, id } = await send(url);
  const { body } = await look(`/channels/${channel}/messages/${id}`);
  expect(body).toMatchObject({ webhook_id, author: { username: 'Buoy' }, ...message });
}

const FIELDS = [
  { name: 'High', value: '06:12' },
  { name: 'Low', value: '12:20' },
];

/** The day of such a program. */
export const webhookDay: Day<BotStage, WebhookParts> = {
  kind: 'webhooks',
  steps: {
    text: (stage, text) => sentTo(stage, text, { content: 'High water' }),
    embeds: (stage, embeds) =>
      sentTo(stage, embeds, { embeds: [{ title: 'Tide table', color: 0x3366ff, fields: FIELDS }] }),
    files: (stage, files) =>
      sentTo(stage, files, {
        content: 'Low water',
        attachments: [{ filename: 'notes.txt', size: 10 }],
      }),
  },
  open: openBotStage,
  close: ({ emulator }) => emulator.close(),
};
