import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyTooLarge, MultipartError } from '../../../../src/emulator/serve/http/body-fault.ts';
import { type MultipartLimits, readMultipart } from '../../../../src/emulator/serve/http/multipart.ts';
import { UploadRoom } from '../../../../src/emulator/serve/http/upload-room.ts';

const type = 'multipart/form-data; boundary=XX';
const part = (name: string, value: string, more = '') =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

/** Files of up to 8 bytes, three of them at most, in requests of up to 2,000 bytes. */
const files = { fields: ['files[n]', 'list'], maxCount: 3, maxFileBytes: 8, request: 2_000 };

function read(
  body: string | Buffer,
  { contentType = type, ...more }: Partial<MultipartLimits> & { contentType?: string } = {},
) {
  const bytes = Buffer.from(body);
  const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) =>
    bytes.subarray(i * 7, i * 7 + 7),
  );
  const limits = {
    maxBytes: 64_000,
    field: 64_000,
    files: undefined,
    held: new UploadRoom().hold(),
    ...more,
  };
  return readMultipart(Readable.from(chunks, { objectMode: false }), contentType, limits);
}

/** The fields; undefined for what is not well-formed. */
async function parse(body: string | Buffer, contentType = type) {
  try {
    return (await read(body, { contentType })).fields;
  } catch (error) {
    if (error instanceof MultipartError) return undefined;
    throw error;
  }
}

describe('readMultipart', () => {
  it('reads plain fields', async () => {
    const body = `${part('token', 'abc')}${part('note', 'é\r\n\r\nline --XX')}--XX--\r\n`;
    expect(await parse(body)).toEqual([
      ['token', 'abc'],
      ['note', 'é\r\n\r\nline --XX'],
    ]);
    expect(await parse(`preamble\r\n${body}`)).toHaveLength(2);
    expect(await parse('--XX--')).toEqual([]);
  });

  it('reads a body that FormData of Node writes', async () => {
    const form = new FormData();
    form.set('grant_type', 'refresh_token');
    form.set('refresh_token', 'a b&c=ü');
    const request = new Request('http://127.0.0.1', { method: 'POST', body: form });
    const body = Buffer.from(await request.arrayBuffer());
    expect(await parse(body, request.headers.get('content-type') ?? '')).toEqual([...form]);
  });

  it('accepts a quoted boundary and a charset', async () => {
    const quoted = 'multipart/form-data; charset=utf-8; boundary="XX"';
    expect(await parse(`${part('a', 'b')}--XX--`, quoted)).toEqual([['a', 'b']]);
  });

  it.each([
    ['no boundary', `${part('a', 'b')}--XX--`, 'multipart/form-data'],
    ['an endless boundary', `${part('a', 'b')}--XX--`, `multipart/form-data; boundary=${'X'.repeat(71)}"`],
    ['another boundary', `${part('a', 'b')}--XX--`, 'multipart/form-data; boundary=YY'],
    ['no end', part('a', 'b'), type],
    ['nothing', '', type],
    ['a file', `${part('a', 'b', '; filename="x"')}--XX--`, type],
    ['an encoded file name', `${part('a', 'b', "; filename*=utf-8''x")}--XX--`, type],
    ['a part without name', '--XX\r\nContent-Disposition: form-data\r\n\r\nb\r\n--XX--', type],
    ['33 parts', `${part('a', 'b').repeat(33)}--XX--`, type],
    ['bare line feeds', `${part('a', 'b')}--XX--`.replaceAll('\r\n', '\n'), type],
  ])('refuses %s', async (_, body, contentType) => {
    expect(await parse(body, contentType)).toBeUndefined();
  });

  it.each([
    ['without a disposition', '--XX\r\nContent-Type: text/plain\r\n\r\nb\r\n--XX--'],
    ['without a blank line', '--XX\r\nContent-Disposition: form-data; name="a"\r\n--XX--'],
  ])('ignores a part %s', async (_, body) => {
    expect(await parse(body)).toEqual([]);
  });

  it('returns only content of the body for any input', async () => {
    const good = `${part('token', 'abc')}${part('b', 'def')}--XX--\r\n`;
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length), fc.nat(good.length), fc.string(), async (from, to, insert) => {
        const body = good.slice(0, from) + insert + good.slice(to);
        for (const [, value] of (await parse(body)) ?? []) expect(body).toContain(value);
      }),
      { numRuns: 300 },
    );
  });
});

describe('files in a multipart body', () => {
  const file = (field: string, name: string, value: string) => part(field, value, `; filename="${name}"`);
  const withFiles = (body: string) => read(`${body}--XX--`, { files, maxBytes: files.request });

  it('are read in order beside the fields, with unchanged bytes', async () => {
    const body = `${part('payload_json', '{}')}${file('files[0]', 'a.txt', 'one')}${file('list', 'b', '')}`;
    const found = await withFiles(body);
    expect(found.fields).toEqual([['payload_json', '{}']]);
    expect(found.files.map(({ bytes, ...rest }) => ({ ...rest, text: String(bytes) }))).toEqual([
      { field: 'files[0]', name: 'a.txt', type: 'text/plain', text: 'one' },
      { field: 'list', name: 'b', type: 'text/plain', text: '' },
    ]);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['/etc/passwd', 'passwd'],
    ['C:\\\\windows\\\\x.exe', 'x.exe'],
    ['..', 'file'],
    ['.', 'file'],
    ['a/', 'file'],
    ['a\u202e\u0000b', 'ab'],
    ['é'.repeat(300), 'é'.repeat(255)],
  ])('have no path in their name: %j', async (given, name) => {
    expect((await withFiles(file('files[0]', given, 'x'))).files[0]?.name).toBe(name);
  });

  it.each([
    ['in a field that takes none', file('avatar', 'a', 'x'), { errors: { avatar: {} } }],
    ['in the place of another', file('files[0]', 'a', 'x').repeat(2), { errors: { 'files[0]': {} } }],
    ['of nine bytes', file('files[1]', 'a', '123456789'), { code: 50045 }],
  ])('are refused %s', async (_, body, expected) => {
    await expect(withFiles(body)).rejects.toMatchObject({ status: 400, body: expected });
  });

  it('are refused with at most 64 characters of their field', async () => {
    const fault = await withFiles(file('x'.repeat(70), 'a', 'x')).catch((error: unknown) => error);
    expect(fault).toMatchObject({
      body: {
        errors: {
          ['x'.repeat(64)]: {
            _errors: [{ code: 'BASE_TYPE_UNKNOWN_KEY', message: 'No file may come here, or no second one.' }],
          },
        },
      },
    });
    const long = { fields: ['y'.repeat(70)], maxCount: 1, maxFileBytes: 1, request: 2_000 };
    await expect(read(`${file('y'.repeat(70), 'a', 'xx')}--XX--`, { files: long })).rejects.toMatchObject({
      body: { code: 50045, message: `The file in ${'y'.repeat(64)} is too large` },
    });
  });

  it('are refused beyond three, and so is a request that is too large in total', async () => {
    const four = [0, 1, 2, 3].map((n) => file(`files[${n}]`, 'a', 'x')).join('');
    await expect(withFiles(four)).rejects.toThrow(BodyTooLarge);
    const large = part('note', 'x'.repeat(files.request));
    await expect(withFiles(large)).rejects.toThrow(BodyTooLarge);
  });

  it('are held only within the room of all requests, and the room is released', async () => {
    const room = new UploadRoom(1_000);
    const first = room.hold();
    const second = room.hold();
    const body = `${part('note', 'x'.repeat(500))}--XX--`;
    await read(body, { files, held: first });
    await expect(read(body, { files, held: second })).rejects.toMatchObject({ status: 503 });
    first.release();
    second.release();
    await read(body, { files, held: second });
  });

  it('of one caller leave room for a request of another caller', () => {
    const mib = 1024 * 1024;
    const room = new UploadRoom();
    const held = Array.from({ length: 6 }, () => room.hold('one'));
    expect(held.map((request) => request.take(25 * mib))).toEqual([true, true, false, false, false, false]);
    expect(room.hold('two').take(25 * mib)).toBe(true);
    for (const request of held) request.release();
    expect(room.hold('one').take(25 * mib)).toBe(true);
  });

  it('are refused when the body breaks off at any byte', async () => {
    const whole = `${file('files[0]', 'a.txt', 'one')}--XX--`;
    for (let end = 0; end < whole.length; end += 1) {
      await expect(read(whole.slice(0, end), { files })).rejects.toThrow(MultipartError);
    }
  });
});

describe('a limit of a multipart body', () => {
  const file = (field: string, name: string, value: string) => part(field, value, `; filename="${name}"`);
  /** What came of it: the numbers of fields and files, or the refusal. */
  const outcome = (body: string, limits: Parameters<typeof read>[1] = {}) =>
    read(`${body}--XX--`, limits).then(
      ({ fields, files: found }) => [fields.length, found.length],
      (error: Error & { body?: { code: number } }) => error.body?.code ?? error.message,
    );
  const BROKEN = 'The multipart body is not well-formed.';
  const TOO_LARGE = new BodyTooLarge().message;
  const many = (count: number) => Array.from({ length: count }, (_, at) => part(`n${at}`, 'x')).join('');
  const three = [0, 1, 2].map((at) => file(`files[${at}]`, 'a', 'x')).join('');
  const numbered = { fields: ['file{n}', 'one'], maxCount: 9, maxFileBytes: 9, request: 9 };

  it.each<[what: string, body: string, limits: Parameters<typeof read>[1], expected: unknown]>([
    ['32 fields', many(32), {}, [32, 0]],
    ['33 fields', many(33), {}, BROKEN],
    ['32 fields and three files', many(32) + three, { files }, [32, 3]],
    ['three files', three, { files }, [0, 3]],
    ['four files', three + file('list', 'a', 'x'), { files }, TOO_LARGE],
    [
      'four files, which have a code of their own',
      three + file('list', 'a', 'x'),
      { files: { ...files, tooMany: 'MaximumNumberOfAttachmentsInAMessageReached' } as never },
      30015,
    ],
    ['a field of as many bytes as it may have', part('a', 'x'.repeat(50)), { field: 50 }, [1, 0]],
    ['a field of one more', part('a', 'x'.repeat(51)), { field: 50 }, TOO_LARGE],
    [
      'a body of as many bytes as it may have',
      part('a', 'x'),
      { maxBytes: part('a', 'x').length + 6 },
      [1, 0],
    ],
    ['a body of one more', part('a', 'x'), { maxBytes: part('a', 'x').length + 5 }, TOO_LARGE],
    ['a file of 8 bytes', file('list', 'a', '12345678'), { files }, [0, 1]],
    ['a file of 9 bytes', file('list', 'a', '123456789'), { files }, 50045],
    ['the number of a file in four digits', file('files[1234]', 'a', 'x'), { files }, [0, 1]],
    ['the number of a file in five digits', file('files[12345]', 'a', 'x'), { files }, 50035],
    ['a file without a number', file('files[]', 'a', 'x'), { files }, 50035],
    ['a number behind more', file('xfiles[0]y', 'a', 'x'), { files }, 50035],
    [
      'numbers without brackets',
      file('file0', 'a', 'x') + file('file12', 'a', 'x'),
      { files: numbered },
      [0, 2],
    ],
    ['numbers without brackets in five digits', file('file12345', 'a', 'x'), { files: numbered }, 50035],
    ['a file field without a file name', part('one', 'x'), { files: numbered }, [0, 1]],
    ['another field without a file name', part('two', 'x'), { files: numbered }, [1, 0]],
    ['an empty file without a name', file('one', '', ''), { files: numbered }, [0, 0]],
    ['an empty file with a name', file('one', 'a', ''), { files: numbered }, [0, 1]],
    ['a file without a name', file('one', '', 'x'), { files: numbered }, [0, 1]],
    ['a file in payload_json', file('payload_json', 'blob', '{}'), { files: numbered }, [1, 0]],
    ['a file where none is taken', file('one', 'a', 'x'), {}, BROKEN],
  ])('is kept by %s', async (_, body, limits, expected) => {
    expect(await outcome(body, limits)).toEqual(expected);
  });

  it('is no reason to leave a body that was cut as it is', async () => {
    const source = new Readable({ read: () => {} });
    const reading = readMultipart(source, type, {
      maxBytes: 100,
      field: 100,
      files: undefined,
      held: new UploadRoom().hold(),
    });
    source.push(Buffer.from(part('a', 'b')));
    source.destroy();
    await expect(reading).rejects.toThrow(new MultipartError('The body is incomplete.'));
    const gone = readMultipart(source, type, {
      maxBytes: 100,
      field: 100,
      files: undefined,
      held: new UploadRoom().hold(),
    });
    await expect(gone).rejects.toThrow(new MultipartError('The body is incomplete.'));
  });
});
