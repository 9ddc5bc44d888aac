import { expect, it } from 'vitest';
import { Opcode } from '../../src/wire/codes.ts';
import { STREAM_NOTICE } from '../../src/wire/streams.ts';
import { emulatorBridge } from '../helpers/emulator-bridge.ts';
import { readScript } from './generator/node-frames.ts';
import {
  deepestActivity,
  getVoiceSettings,
  greeting,
  largestActivity,
  readingStreams,
  setActivity,
  subscriptions,
  toggleMute,
} from './messages.ts';

/** More than this ends a connection; the largest messages come near it (bytes). */
const LARGEST_FRAME = 256 * 1024;

const open = { setActivity, largestActivity, deepestActivity, subscriptions };
const withScope = { getVoiceSettings, toggleMute };

// A message that is refused would measure something else.
it.each(Object.entries({ ...open, ...withScope }))(
  '%s is a legal message that the emulator answers without an error',
  async (name, text) => {
    const bridge = await emulatorBridge();
    const app = await bridge.app(name in withScope ? { scopes: ['rpc'] } : {});
    for (const { bytes } of readScript(text)) {
      expect(bytes.length).toBeLessThan(LARGEST_FRAME);
      app.write(bytes);
      const { evt, nonce, data } = await app.answer();
      expect({ evt, nonce }, JSON.stringify(data)?.slice(0, 300)).toEqual({ evt: null, nonce: '0000000000' });
    }
  },
);

it('the greeting names an application that the emulator recognises', async () => {
  const bridge = await emulatorBridge();
  const app = bridge.connect();
  const [hello] = readScript(greeting);
  if (hello) app.write(hello.bytes);
  expect(await app.answer()).toMatchObject({ evt: 'READY' });
});

it('readingStreams is the greeting and a PING with the notice, answered one after the other', async () => {
  const bridge = await emulatorBridge();
  const app = bridge.connect();
  const [hello, notice, ...others] = readScript(readingStreams);
  expect(others).toEqual([]);
  if (hello) app.write(hello.bytes);
  expect(await app.answer()).toMatchObject({ evt: 'READY' });
  if (notice) app.write(notice.bytes);
  expect(await app.next()).toEqual({ opcode: Opcode.PONG, body: JSON.parse(STREAM_NOTICE) });
});
