import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMultipart } from '../../../src/emulator/http/multipart.ts';

const type = 'multipart/form-data; boundary=XX';
const part = (name: string, value: string, more = '') =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const parse = (text: string, contentType = type) => parseMultipart(Buffer.from(text), contentType);

describe('parseMultipart', () => {
  it('reads plain fields', () => {
    const body = `${part('token', 'abc')}${part('note', 'é\r\n\r\nline --XX')}--XX--\r\n`;
    expect(parse(body)).toEqual([
      ['token', 'abc'],
      ['note', 'é\r\n\r\nline --XX'],
    ]);
    expect(parse(`preamble\r\n${body}`)).toHaveLength(2);
    expect(parse('--XX--')).toEqual([]);
  });

  it('reads what the platform itself writes', async () => {
    const form = new FormData();
    form.set('grant_type', 'refresh_token');
    form.set('refresh_token', 'a b&c=ü');
    const request = new Request('http://127.0.0.1', { method: 'POST', body: form });
    const body = Buffer.from(await request.arrayBuffer());
    expect(parseMultipart(body, request.headers.get('content-type') ?? '')).toEqual([...form]);
  });

  it('accepts a quoted boundary and a charset', () => {
    const quoted = 'multipart/form-data; charset=utf-8; boundary="XX"';
    expect(parse(`${part('a', 'b')}--XX--`, quoted)).toEqual([['a', 'b']]);
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
    ['a part without disposition', '--XX\r\nContent-Type: text/plain\r\n\r\nb\r\n--XX--', type],
    ['a part without a blank line', '--XX\r\nContent-Disposition: form-data; name="a"\r\n--XX--', type],
    ['33 parts', `${part('a', 'b').repeat(33)}--XX--`, type],
    ['bare line feeds', `${part('a', 'b')}--XX--`.replaceAll('\r\n', '\n'), type],
  ])('refuses %s', (_, body, contentType) => {
    expect(parse(body, contentType)).toBeUndefined();
  });

  it('never throws, and returns only what is in the body', () => {
    const good = `${part('token', 'abc')}${part('b', 'def')}--XX--\r\n`;
    fc.assert(
      fc.property(fc.nat(good.length), fc.nat(good.length), fc.string(), (from, to, insert) => {
        const body = good.slice(0, from) + insert + good.slice(to);
        for (const [name, value] of parse(body) ?? []) {
          expect(body).toContain(value);
          expect(body).toContain(`name="${name}"`);
        }
      }),
      { numRuns: 300 },
    );
  });
});
