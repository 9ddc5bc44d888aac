import { expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { gif, mp3, png, webp } from '../../../helpers/media-bytes.ts';
import { viewedPlatform } from '../../../helpers/viewed.ts';

const say = { channel: 'general', text: 'x' };
const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(12)]);
const webm = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(16)]);
const wave = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WAVEfmt '), Buffer.alloc(8)]);

it.each([
  ['a PNG', png(), 'image/png'],
  ['a GIF', gif(), 'image/gif'],
  ['a WebP', webp(false), 'image/webp'],
  ['an MP3', mp3(), 'audio/mpeg'],
  ['a WAV', wave, 'audio/wav'],
  ['an MP4', mp4, 'video/mp4'],
  ['a WebM', webm, 'video/webm'],
])('file.read returns %s with the type of its bytes, whatever its name says', async (_what, bytes, type) => {
  const { run } = await viewedPlatform();
  const file = { filename: 'page.html', content_type: 'text/html', data: bytes.toString('base64') };
  const { id } = await run('channel.say', { ...say, files: [file] });
  const { message } = await run('message.view', { message: id });
  const [attachment] = message['attachments'] as readonly { readonly url: string }[];
  const read = { type, size: bytes.length, data: bytes.toString('base64') };
  expect(await run('file.read', { address: attachment?.url })).toEqual(read);
  // The path alone counts, and no signature is needed.
  const { pathname } = new URL(attachment?.url ?? '');
  expect(await run('file.read', { address: pathname })).toEqual(read);
});

it.each([
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['plain text', 'high water'],
])('file.read refuses %s, also one that says to be a picture', async (_what, text) => {
  const { run } = await viewedPlatform();
  const file = { filename: 'a.png', content_type: 'image/png', data: Buffer.from(text).toString('base64') };
  const { id } = await run('channel.say', { ...say, files: [file] });
  const { message } = await run('message.view', { message: id });
  const [attachment] = message['attachments'] as readonly { readonly url: string }[];
  await expect(run('file.read', { address: attachment?.url })).rejects.toThrow(
    'address: the file is neither a picture nor a sound nor a video',
  );
});

it('file.read draws the picture of a user from the id', async () => {
  const { run } = await viewedPlatform();
  const read = async (address: string) => (await run('file.read', { address })).data;
  const own = await read(`/avatars/${ids.river}.png`);
  expect(Buffer.from(own, 'base64').subarray(1, 4).toString()).toBe('PNG');
  expect(await read(`https://cdn.discordapp.com/avatars/${ids.river}/0123abcd.png?size=64`)).toBe(own);
  expect(await read(`/avatars/${ids.otter}.png`)).not.toBe(own);
});

it.each([
  ['/avatars/1.png'],
  ['/emojis/1.png'],
  ['/stickers/1.png'],
  ['/soundboard-sounds/1'],
  ['/attachments/1/2/a.png'],
  ['/../../etc/passwd'],
  ['file:///etc/passwd'],
  ['http://['],
])('file.read refuses an address without a stored file: %s', async (address) => {
  const { run } = await viewedPlatform();
  await expect(run('file.read', { address })).rejects.toThrow(
    'address: there is no stored file at this address',
  );
});
