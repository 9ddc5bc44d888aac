import { expect, it } from 'vitest';
import { parseUrl } from '../../src/base/url.ts';

it('reads an address, alone or beside another', () => {
  expect(parseUrl('https://bücher.example/a')?.href).toBe('https://xn--bcher-kva.example/a');
  expect(parseUrl('/a', 'http://127.0.0.1:1')?.href).toBe('http://127.0.0.1:1/a');
});
it.each(['', 'example.com', 'https://', 'https://a b', '//x'])('says that %j is none', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});
it('reads an address that is not ASCII however often it is asked, where a compiled canParse does not', () => {
  let read = 0;
  for (let n = 0; n < 20_000; n++) if (parseUrl('https://bücher.example') !== undefined) read++;
  expect(read).toBe(20_000);
});
