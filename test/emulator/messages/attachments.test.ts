import { readdirSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../../src/emulator/compose/create-emulator.ts';
import { readFixture } from '../../../src/emulator/compose/fixture/toml.ts';
import { safeName } from '../../../src/emulator/files/file-name.ts';
import { type BotPlatform, botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';

const MESSAGES = `/channels/${ids.general}/messages`;

/** A multipart body with a message and files, each `[name, content]`. */
function form(json: object, files: readonly (readonly [name: string, content: string | Buffer])[]): FormData {
  const body = new FormData();
  body.set('payload_json', JSON.stringify(json));
  for (const [index, [name, content]] of files.entries()) {
    body.set(`files[${index}]`, new Blob([content], { type: 'text/plain' }), name);
  }
  return body;
}

const post = (platform: BotPlatform, body: FormData, what = `POST ${MESSAGES}`) =>
  platform.call(what, { headers: platform.bot(), body });

/** Fetches an address as a program does. */
function fetched(
  url: string,
): Promise<{ readonly status: number | undefined; readonly body: string; readonly headers: object }> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode, body, headers: response.headers }));
    }).on('error', reject);
  });
}

it('attachments arrive with a message, and are available at a signed address for a day [L-1]', async () => {
  const platform = await botPlatform();
  const json = { attachments: [{ id: 0, description: 'The tide', is_spoiler: true }] };
  const { status, body } = await post(platform, form(json, [['tide.txt', 'high']]));
  expect(status).toBe(200);
  const [file] = body.attachments;
  expect(file).toMatchObject({
    filename: 'tide.txt',
    size: 4,
    content_type: 'text/plain',
    description: 'The tide',
    flags: 8,
  });
  expect(await fetched(file.url)).toMatchObject({
    status: 200,
    body: 'high',
    headers: {
      'content-type': 'text/plain',
      'content-disposition': 'attachment; filename="tide.txt"',
      'x-content-type-options': 'nosniff',
    },
  });
  for (const wrong of [
    file.url.replace(/hm=./, 'hm=x'),
    file.url.replace(/ex=/, 'ex=f'),
    file.url.replace('tide.txt', 'x.txt'),
  ]) {
    expect((await fetched(wrong)).status).toBe(404);
  }
  expect((await fetched(file.url.split('?')[0])).status).toBe(400);
  platform.emulator.clock.advance(25 * 3_600_000);
  expect((await fetched(file.url)).status).toBe(404);
  const again = (await platform.ask(`GET ${MESSAGES}/${body.id}`)).body.attachments[0].url;
  expect((await fetched(again)).body).toBe('high');
});

it('attachments are redescribed, preserved, added and removed by an edit [O-11, O-12]', async () => {
  const platform = await botPlatform();
  const { body } = await post(
    platform,
    form({ content: 'x' }, [
      ['a.txt', 'a'],
      ['SPOILER_b.txt', 'b'],
    ]),
  );
  const [a, b] = body.attachments;
  expect([a.flags, b.flags]).toEqual([0, 8]);
  const edited = await post(
    platform,
    form(
      {
        attachments: [
          { id: b.id, description: 'new', is_spoiler: false },
          { id: 0, title: 'c' },
        ],
      },
      [['c.txt', 'c']],
    ),
    `PATCH ${MESSAGES}/${body.id}`,
  );
  expect(edited.body.attachments).toMatchObject([
    { id: b.id, description: 'new', flags: 0 },
    { filename: 'c.txt', title: 'c' },
  ]);
  expect((await fetched(a.url)).status).toBe(404);
  expect(
    (await platform.ask(`PATCH ${MESSAGES}/${body.id}`, { content: 'y' })).body.attachments,
  ).toHaveLength(2);
  expect((await platform.ask(`PATCH ${MESSAGES}/${body.id}`, { attachments: [] })).body.attachments).toEqual(
    [],
  );
});

it('attachments are removed with their message, unless another message has them', async () => {
  const platform = await botPlatform();
  const first = (await post(platform, form({}, [['a.txt', 'same']]))).body;
  const second = (await post(platform, form({}, [['b.txt', 'same']]))).body;
  const passedOn = (
    await platform.ask(`POST ${MESSAGES}`, { message_reference: { type: 1, message_id: first.id } })
  ).body;
  expect(passedOn).toMatchObject({
    attachments: [],
    message_snapshots: [{ message: { attachments: [{ filename: 'a.txt' }] } }],
  });
  const inSnapshot = passedOn.message_snapshots[0].message.attachments[0].url;
  await platform.ask(`DELETE ${MESSAGES}/${first.id}`);
  await platform.ask(`DELETE ${MESSAGES}/${second.id}`);
  expect((await fetched(first.attachments[0].url)).status).toBe(404);
  expect((await fetched(inSnapshot)).body).toBe('same');
  await platform.ask(`DELETE ${MESSAGES}/${passedOn.id}`);
  expect((await fetched(inSnapshot)).status).toBe(404);
  expect([...platform.emulator.tables.attachments]).toEqual([]);
});

describe('an attachment is refused, and the state is unchanged:', () => {
  const MIB = 1024 * 1024;

  it.each([
    ['above what is set', { upload_limit: 10 }, 'x'.repeat(11), 50045],
    ['one that is described and not sent', {}, undefined, 50035],
  ])('%s', async (_, change, content, code) => {
    const platform = await botPlatform(change);
    const before = platform.emulator.exportState();
    const files = content === undefined ? [] : [['a.txt', content] as const];
    const { body } = await post(platform, form({ content: 'x', attachments: [{ id: 0 }] }, files));
    expect(body.code).toBe(code);
    expect(platform.emulator.exportState()).toBe(before);
  });

  it('above 20 MiB, and above 10 MiB before 2026-09-03 [L-1]', async () => {
    const platform = await botPlatform();
    const large = Buffer.alloc(11 * MIB);
    platform.emulator.clock.set(Date.parse('2026-09-02T23:59:00Z'));
    expect((await post(platform, form({}, [['a', large]]))).body.code).toBe(50045);
    platform.emulator.clock.set(Date.parse('2026-09-03T00:00:00Z'));
    expect((await post(platform, form({}, [['a', large]]))).status).toBe(200);
    expect((await post(platform, form({}, [['a', Buffer.alloc(20 * MIB + 1)]]))).body.code).toBe(50045);
  });

  it('without the permission', async () => {
    const platform = await botPlatform();
    await platform.only('VIEW_CHANNEL', 'SEND_MESSAGES');
    expect((await post(platform, form({}, [['a', 'a']]))).body.code).toBe(50013);
    expect([...platform.emulator.tables.attachments]).toEqual([]);
  });
});

it.each([
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['..', 'unknown'],
  ['.bashrc', 'bashrc'],
  ['', 'unknown'],
  ['a b"\r\nX: y.txt', 'a_b_X_y.txt'],
  ['<script>.svg', '_script_.svg'],
  ['Gezeiten für heute.txt', 'Gezeiten_f_r_heute.txt'],
  ['x'.repeat(300), 'x'.repeat(255)],
])('an attachment has a safe name: %j becomes %j', (name, safe) => {
  expect(safeName(name)).toBe(safe);
});

describe('a file that an embed or a component references', () => {
  const v2 = (url: string) => ({ flags: 1 << 15, components: [{ type: 13, file: { url } }] });
  const embed = (url: string) => ({ embeds: [{ image: { url }, footer: { text: 'x', icon_url: url } }] });

  it('is not among the attachments, unlike other files', async () => {
    const platform = await botPlatform();
    const files = [
      ['tide.txt', 'high'],
      ['moon.txt', 'full'],
    ] as const;
    const shown = await post(platform, form(embed('attachment://tide.txt'), files));
    expect(shown.body.attachments).toMatchObject([{ filename: 'moon.txt' }]);
    expect(await fetched(shown.body.embeds[0].image.url)).toMatchObject({ status: 200, body: 'high' });
    const component = await post(platform, form(v2('attachment://tide.txt'), files));
    expect(component.body).toMatchObject({
      attachments: [{ filename: 'moon.txt' }],
      components: [{ type: 13, name: 'tide.txt', size: 4 }],
    });
  });

  it.each([
    ['a spring (1) tide.txt', 'a spring (1) tide'],
    ['прилив.txt', 'прилив'],
    ['été [2].txt', 'été [2]'],
  ])('is found by its original name, which is stored as its title: %s', async (name, title) => {
    const platform = await botPlatform();
    for (const json of [embed(`attachment://${name}`), v2(`attachment://${encodeURIComponent(name)}`)]) {
      const { status, body } = await post(platform, form(json, [[name, 'high']]));
      expect(status).toBe(200);
      const { url } = body.embeds[0]?.image ?? body.components[0].file;
      expect(await fetched(url)).toMatchObject({ status: 200, body: 'high' });
    }
    const alone = await post(platform, form({}, [[name, 'high']]));
    expect(alone.body.attachments).toMatchObject([{ title, filename: safeName(name) }]);
    const plain = await post(platform, form({}, [['tide.txt', 'high']]));
    expect(plain.body.attachments[0]).not.toHaveProperty('title');
  });

  it.each([
    ['an embed', embed('attachment://moon.txt'), ['embeds']],
    ['a component', v2('attachment://moon.txt'), ['components']],
    ['a component by a web address', v2('https://example.com/tide.txt'), ['components']],
  ])('must be in the request: %s', async (_, json, places) => {
    const platform = await botPlatform();
    const before = platform.emulator.exportState();
    const refused = await post(platform, form(json, [['tide.txt', 'high']]));
    expect(refused).toMatchObject({ status: 400, body: { code: 50035 } });
    expect(Object.keys(refused.body.errors)).toEqual(places);
    expect(platform.emulator.exportState()).toBe(before);
  });

  it('stays as long as its embed, and is not available when the request lists other files', async () => {
    const platform = await botPlatform();
    const { body } = await post(
      platform,
      form(embed('attachment://tide.txt'), [
        ['tide.txt', 'high'],
        ['moon.txt', 'full'],
      ]),
    );
    const change = (json: object) => platform.ask(`PATCH ${MESSAGES}/${body.id}`, json);
    const unlisted = await change({ content: 'low', attachments: [] });
    expect(unlisted.body.attachments).toEqual([]);
    expect(await fetched(unlisted.body.embeds[0].image.url)).toMatchObject({ status: 200, body: 'high' });
    const again = await change(embed('attachment://tide.txt'));
    expect(again).toMatchObject({ status: 200, body: { attachments: [] } });
    const missing = await change({ ...embed('attachment://tide.txt'), attachments: [] });
    expect(missing).toMatchObject({ status: 400, body: { errors: { embeds: {} } } });
    const removed = await change({ embeds: [], attachments: [] });
    expect(removed.body).toMatchObject({ attachments: [], embeds: [], content: 'low' });
  });
});

it('files are read from fields of every documented and older name, in any order', async () => {
  const platform = await botPlatform();
  const sent = async (...fields: readonly string[]) => {
    const body = new FormData();
    for (const field of fields) body.set(field, new Blob([field]), `${field.replaceAll(/\W/g, '')}.txt`);
    const described = fields.map((_, id) => ({ id, description: `number ${id}` }));
    body.set('payload_json', JSON.stringify({ attachments: described }));
    const answer = await post(platform, body);
    return answer.body.attachments.map((one: { filename: string; description: string }) => [
      one.filename,
      one.description,
    ]);
  };
  expect(await sent('file')).toEqual([['file.txt', 'number 0']]);
  expect(await sent('file1', 'file0')).toEqual([
    ['file0.txt', 'number 0'],
    ['file1.txt', 'number 1'],
  ]);
  expect(await sent('files[2]', 'files[0]', 'file1')).toEqual([
    ['files0.txt', 'number 0'],
    ['file1.txt', 'number 1'],
    ['files2.txt', 'number 2'],
  ]);
});

describe('the files of an exported state [L-1]', () => {
  const large = Buffer.alloc(200_000, 'tide ');
  const posted = async () => {
    const platform = await botPlatform();
    const first = await post(platform, form({}, [['tide.txt', large]]));
    await post(platform, form({}, [['again.txt', large]]));
    return { platform, text: platform.emulator.exportState(), url: first.body.attachments[0].url as string };
  };

  it('are exported once with their bytes, and served after an import or a start with the state', async () => {
    const { text } = await posted();
    expect(text.match(/^\{"files":/gm)).toHaveLength(Math.ceil(large.length / 49_152));
    const other = await botPlatform();
    other.emulator.importState(text, 'state');
    const { body } = await other.ask(`GET ${MESSAGES}?limit=1`);
    const [{ url }] = body[0].attachments;
    expect((await fetched(url)).body).toBe(large.toString());
    // The same in the order of the declarations.
    const again = other.emulator.exportState();
    expect(again.length).toBe(text.length);
    const started = await createEmulator({ fixture: await readFixture([again], 's') });
    expect(started.exportState()).toBe(again);
    // Gone with their messages, and there again after a reset.
    for (const { id, author } of [...started.tables.messages])
      if (author === APP) started.messages.remove(id);
    expect(started.exportState()).not.toContain('"files"');
    started.reset();
    expect(started.exportState()).toBe(again);
    await started.close();
  });

  it('are complete in the export, whatever is deleted meanwhile', async () => {
    const { platform, text } = await posted();
    const parts = platform.emulator.transfer.parts()[Symbol.iterator]();
    let written = String(parts.next().value);
    const inFiles = written.includes('"files"');
    for (const { id, author } of [...platform.emulator.tables.messages]) {
      if (author === APP) platform.emulator.messages.remove(id);
    }
    for (let next = parts.next(); next.done !== true; next = parts.next()) written += next.value;
    expect(inFiles).toBe(true);
    expect(written).toBe(text);
  });

  it('are all exported as announced, including files deleted before their turn and empty files', async () => {
    const platform = await botPlatform();
    const sent = ['a', 'b', 'c', ''].map((one) => [`${one}.txt`, one.repeat(150_000)] as const);
    expect((await post(platform, form({ content: 'x' }, sent))).status).toBe(200);
    const { emulator } = platform;
    const text = emulator.exportState();
    expect(text.match(/"bytes":""/g)).toHaveLength(1);
    const parts = emulator.transfer.parts()[Symbol.iterator]();
    let written = String(parts.next().value);
    for (const { id, author } of [...emulator.tables.messages]) {
      if (author === APP) emulator.messages.remove(id);
    }
    for (let next = parts.next(); next.done !== true; next = parts.next()) written += next.value;
    expect(written).toBe(text);
    emulator.importState(written, 'state');
    expect(emulator.exportState()).toBe(text);
    emulator.reset();
    expect(emulator.exportState()).not.toContain('"files"');
  });

  it.each([
    ['another digest', (line: string) => line.replace(/"digest":"./, '"digest":"z'), /must have a digest/],
    [
      'other bytes',
      (line: string) => line.replace(/"bytes":"..../, '"bytes":"AAAA'),
      /is not whole, or not the file/,
    ],
    ['no bytes', (line: string) => line.replace(/"bytes":".*"/, '"bytes":7'), /must have bytes/],
    ['more', (line: string) => line.replace(/\}$/, ',"users":{}}'), /must be the only key/],
  ])('with %s are refused, and nothing is changed or left behind', async (_, change, reason) => {
    const { text } = await posted();
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.startsWith('{"files"'));
    const other = await botPlatform();
    const before = other.emulator.exportState();
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('footbridge-files-')).length;
    const left = folders();
    const wrong = lines.with(at, change(lines[at] ?? '')).join('\n');
    expect(() => other.emulator.importState(wrong, 'state')).toThrow(reason);
    expect(other.emulator.exportState()).toBe(before);
    expect(folders()).toBeLessThanOrEqual(left);
  });
});
