import { describe, expect, it, vi } from 'vitest';
import { MAX_RECORDS } from '../../../../src/emulator/kernel/limits.ts';
import { png } from '../../../helpers/media-bytes.ts';
import { APP, testPlatform } from '../../../helpers/platform.ts';

const UPLOAD = `POST /applications/${APP}/attachment`;

function form(bytes: Buffer, name = 'boat.png', field = 'file'): FormData {
  const data = new FormData();
  data.set(field, new Blob([new Uint8Array(bytes)]), name);
  return data;
}

async function platform() {
  const started = await testPlatform();
  await started.emulator.apply({ applications: [{ id: APP }] });
  const upload = (body: FormData) => started.call(UPLOAD, { headers: started.bot(), body });
  return { ...started, upload, kept: () => [...started.emulator.tables.application_attachments] };
}

describe('a picture that an application uploads', () => {
  it('is available at a signed address for a day, and is removed with a later upload', async () => {
    const { upload, emulator, kept } = await platform();
    const bytes = png();
    const { status, body } = await upload(form(bytes, '../../boat.png'));
    expect(status).toBe(200);
    const { attachment } = body;
    expect(attachment).toMatchObject({
      filename: 'boat.png',
      size: bytes.length,
      content_type: 'image/png',
      width: 2,
      height: 2,
      ephemeral: true,
      proxy_url: attachment.url,
    });
    const get = async (address: string) => {
      const answer = await fetch(address, { headers: { 'sec-fetch-site': 'none' } });
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    expect((await get(attachment.url)).bytes.equals(bytes)).toBe(true);
    expect((await get(attachment.url.replace(/hm=./, 'hm=g'))).status).toBe(404);
    emulator.clock.advance(86_401_000);
    expect((await get(attachment.url)).status).toBe(404);
    const path = attachment.url.replace(/\?.*/, '');
    expect((await get(`${path}?ex=x&is=x&hm=x`)).status).toBe(404);
    await upload(form(bytes));
    expect(kept().map(({ id }) => id)).not.toContain(attachment.id);
    expect(kept()).toHaveLength(1);
  });

  it('of a day ago is kept to the millisecond', async () => {
    const { upload, emulator, kept } = await platform();
    emulator.clock.freeze();
    const { id } = (await upload(form(png()))).body.attachment;
    emulator.clock.advance(86_400_000);
    await upload(form(png()));
    expect(kept().map((one) => one.id)).toContain(id);
    emulator.clock.advance(1);
    await upload(form(png()));
    expect(kept().map((one) => one.id)).not.toContain(id);
    expect(kept()).toHaveLength(2);
  });

  it('is accepted from a user as well as from the bot', async () => {
    const { call, bearer } = await platform();
    const answer = await call(UPLOAD, { headers: await bearer(['identify']), body: form(png()) });
    expect(answer.status).toBe(200);
  });

  it('is refused in another format, without a file, or for another application', async () => {
    const { upload, call, bot, kept, emulator } = await platform();
    const none = await upload(form(Buffer.from('<svg/>')));
    expect([none.status, none.body.code, none.body.errors.file._errors]).toEqual([
      400,
      50035,
      [{ code: 'IMAGE_INVALID', message: 'Unsupported image type given' }],
    ]);
    const size = vi
      .spyOn(emulator.tables.application_attachments, 'size', 'get')
      .mockReturnValue(MAX_RECORDS);
    expect(await upload(form(png()))).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('Too many attachments') },
    });
    size.mockRestore();
    const missing = await upload(form(png(), 'boat.png', 'other'));
    expect([missing.status, missing.body.code]).toEqual([400, 50035]);
    const empty = new FormData();
    empty.set('x', 'y');
    expect((await upload(empty)).body.errors.file._errors[0].code).toBe('BASE_TYPE_REQUIRED');
    await emulator.apply({ applications: [{ id: '70', name: 'Buoy' }] });
    const other = await call('POST /applications/70/attachment', { headers: bot(), body: form(png()) });
    expect([other.status, other.body.code]).toEqual([404, 10002]);
    expect(kept()).toEqual([]);
  });
});
