import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { DevtoolsPipe } from '../../src/picture/devtools-pipe.ts';

function pipes() {
  const input = new PassThrough();
  const output = new PassThrough();
  return { input, output, pipe: new DevtoolsPipe(input, output) };
}

describe('the DevTools protocol over pipes', () => {
  it('sends each command as JSON with a NUL behind it', async () => {
    const { input, pipe } = pipes();
    void pipe.send('Browser.getVersion');
    void pipe.send('Page.enable', { fast: true }, 'page 1');
    expect(String(input.read())).toBe(
      '{"id":1,"method":"Browser.getVersion","params":{}}\0{"id":2,"method":"Page.enable","params":{"fast":true},"sessionId":"page 1"}\0',
    );
  });

  it('gives each command its answer, in whatever parts and order the answers come', async () => {
    const { output, pipe } = pipes();
    const first = pipe.send('A');
    const second = pipe.send('B');
    const text =
      '{"method":"An.event"}\0{"id":2,"result":{"text":"Möwe"}}\0{"id":1,"error":{"message":"No such page"}}\0';
    for (const byte of Buffer.from(text)) output.write(Buffer.of(byte));
    expect(await second).toEqual({ text: 'Möwe' });
    await expect(first).rejects.toThrow('No such page');
  });

  it('refuses every command once the browser has ended', async () => {
    const { output, pipe } = pipes();
    const waiting = pipe.send('A');
    output.end();
    await expect(waiting).rejects.toThrow('the browser has ended');
    await expect(pipe.send('B')).rejects.toThrow('the browser has ended');
  });

  it('refuses every command after an answer that is too large', async () => {
    const { output, pipe } = pipes();
    const waiting = pipe.send('A');
    const part = Buffer.alloc(16 * 1024 * 1024, 0x20);
    for (let parts = 0; parts < 5; parts += 1) output.write(part);
    await expect(waiting).rejects.toThrow('an answer of the browser is too large');
  });

  it.each(['garbage', 'null', '7', '"text"', ''])('refuses every command after %j', async (text) => {
    const { output, pipe } = pipes();
    const waiting = pipe.send('A');
    output.write(`${text}\0{"id":1,"result":{}}\0`);
    await expect(waiting).rejects.toThrow('the browser does not speak the DevTools protocol');
  });

  it('refuses a command whose error says nothing', async () => {
    const { output, pipe } = pipes();
    const waiting = pipe.send('A');
    output.write('{"id":1,"error":null}\0');
    await expect(waiting).rejects.toThrow('undefined');
  });
});
