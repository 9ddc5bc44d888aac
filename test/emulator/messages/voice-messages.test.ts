import { describe, expect, it } from 'vitest';
import { type BotPlatform, botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';

const MESSAGES = `/channels/${ids.general}/messages`;
const VOICE = 1 << 13;
const SOUND = { id: 0, duration_secs: 1.5, waveform: 'AAAA' };
type File = readonly [name: string, type: string];
const OGG: File = ['voice-message.ogg', 'audio/ogg'];

function post(platform: BotPlatform, json: object, files: readonly File[]) {
  const body = new FormData();
  body.set('payload_json', JSON.stringify({ flags: VOICE, ...json }));
  for (const [index, [name, type]] of files.entries())
    body.set(`files[${index}]`, new Blob(['sound'], { type }), name);
  return platform.call(`POST ${MESSAGES}`, { headers: platform.bot(), body });
}

describe('a voice message', () => {
  it.each<[string, File]>([
    ['a sound', OGG],
    ['a file that has the name of a sound, and no type of its own', ['v.ogg', 'application/octet-stream']],
  ])('is %s with its length and waveform', async (_, file) => {
    const { status, body } = await post(await botPlatform(), { attachments: [SOUND] }, [file]);
    expect([status, body.flags]).toEqual([200, VOICE]);
    expect(body.attachments).toMatchObject([{ duration_secs: 1.5, waveform: 'AAAA' }]);
  });

  it.each<[string, object, readonly File[], number]>([
    ['content', { content: 'x', attachments: [SOUND] }, [OGG], 50159],
    ['an embed', { embeds: [{ title: 'x' }], attachments: [SOUND] }, [OGG], 50159],
    [
      'a component',
      { components: [{ type: 1, components: [{ type: 2, style: 1, custom_id: 'x', label: 'x' }] }] },
      [OGG],
      50159,
    ],
    ['no file', {}, [], 50160],
    ['two files', { attachments: [SOUND, { ...SOUND, id: 1 }] }, [OGG, OGG], 50160],
    ['a file that is no sound', { attachments: [SOUND] }, [['tide.txt', 'text/plain']], 50160],
    ['no waveform', { attachments: [{ id: 0, duration_secs: 1.5 }] }, [OGG], 50161],
    ['no length', { attachments: [{ id: 0, waveform: 'AAAA' }] }, [OGG], 50161],
    ['no description of its file', {}, [OGG], 50161],
  ])('with %s is refused', async (_, json, files, code) => {
    const platform = await botPlatform();
    const before = platform.emulator.exportState();
    const { status, body } = await post(platform, json, files);
    expect([status, body.code]).toEqual([400, code]);
    expect(platform.emulator.exportState()).toBe(before);
  });

  it('cannot be edited', async () => {
    const platform = await botPlatform();
    const { body } = await post(platform, { attachments: [SOUND] }, [OGG]);
    for (const json of [{ content: 'x' }, { flags: 4 }, { attachments: [] }]) {
      const answer = await platform.refused(`PATCH ${MESSAGES}/${body.id}`, json);
      expect([answer.status, answer.body.code]).toEqual([400, 50162]);
    }
  });

  it('requires SEND_VOICE_MESSAGES', async () => {
    const platform = await botPlatform();
    await platform.only('VIEW_CHANNEL', 'SEND_MESSAGES', 'ATTACH_FILES');
    const { status, body } = await post(platform, { attachments: [SOUND] }, [OGG]);
    expect([status, body.code]).toEqual([403, 50013]);
  });
});

describe('a message with eleven files', () => {
  const eleven = Array.from({ length: 11 }, (): File => ['tide.txt', 'text/plain']);

  it('is refused with the code of the platform', async () => {
    const { status, body } = await post(await botPlatform(), { flags: 0, content: 'x' }, eleven);
    expect([status, body]).toEqual([
      400,
      { code: 30015, message: 'Maximum number of attachments in a message reached (10)' },
    ]);
  });

  it('is refused also when an edit adds the eleventh', async () => {
    const platform = await botPlatform();
    const { body } = await post(platform, { flags: 0 }, eleven.slice(1));
    const form = new FormData();
    form.set('payload_json', '{}');
    form.set('files[0]', new Blob(['x']), 'x.txt');
    const answer = await platform.call(`PATCH ${MESSAGES}/${body.id}`, {
      headers: platform.bot(),
      body: form,
    });
    expect([answer.status, answer.body.code]).toEqual([400, 30015]);
  });
});
