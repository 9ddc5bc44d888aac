import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMultipart } from '../../../src/emulator/http/multipart.ts';

const type = 'multipart/form-data; boundary=XX';
const part = (name: string, value: string, more = '') =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const parse = (text: string, contentType = type) => parseMultipart(Buffer.from(text), contentType);

describe('parseMultipart', () => {
  it('reads plain fields', async () => {
    const body = `${part('token', 'abc')}${part('note', 'é\r\n\r\nline --XX')}--XX--\r\n`;
    expect(await parse(body)).toEqual([
      ['token', 'abc'],
      ['note', 'é\r\n\r\nline --XX'],
    ]);
    expect(await parse(`preamble\r\n${body}`)).toHaveLength(2);
    expect(await parse('--XX--')).toEqual([]);
  });

  it('reads what the platform itself writes', async () => {
    const form = new FormData();
    form.set('grant_type', 'refresh_token');
    form.set('refresh_token', 'a b&c=ü');
    const request = new Request('http://127.0.0.1', { method: 'POST', body: form });
    const body = Buffer.from(await request.arrayBuffer());
    expect(await parseMultipart(body, request.headers.get('content-type') ?? '')).toEqual([...form]);
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
  ])('has no field of a part %s', async (_, body) => {
    expect(await parse(body)).toEqual([]);
  });

  it('never throws, and returns only what is in the body', async () => {
    const good = `${part('token', 'abc')}${part('b', 'def')}--XX--\r\n`;
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length), fc.nat(good.length), fc.string(), async (from, to, insert) => {
        const body = good.slice(0, from) + insert + good.slice(to);
        for (const [name, value] of (await parse(body)) ?? []) {
          expect(body).toContain(value);
          expect(name.length).toBeLessThanOrEqual(256);
        }
      }),
      { numRuns: 300 },
    );
  });
});
