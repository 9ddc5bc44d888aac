// What watches every story, watched itself.
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { operations } from '../../src/emulator/compose/operations.ts';
import { publicDocument, publicJudge } from '../helpers/public-document.ts';
import { faultOf } from './answers.ts';
import { ConnectionWatch, isOfThisMachine } from './connections.ts';
import { listening } from './story.ts';

function operation(id: string) {
  const found = operations.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
}

it('ConnectionWatch records every connection and name look-up of the process', async () => {
  const port = Number(new URL(await listening((_, response) => response.end())).port);
  const watch = new ConnectionWatch();
  watch.start();
  await lookup('localhost');
  await new Promise((resolve) => connect({ port, host: '127.0.0.1' }).once('connect', resolve));
  await fetch(`http://127.0.0.1:${port}/`);
  const seen = watch.stop();
  expect(seen).toContainEqual({ kind: 'GETADDRINFOREQWRAP', place: 'localhost' });
  expect(seen.filter(({ kind, place }) => kind === 'TCPCONNECTWRAP' && place === '127.0.0.1')).toHaveLength(
    2,
  );
});

it('isOfThisMachine distinguishes addresses of this machine from others', () => {
  for (const place of ['127.0.0.1', '127.8.0.1', '::1', 'localhost'])
    expect(isOfThisMachine(place)).toBe(true);
  for (const place of [
    '192.0.2.1',
    'localhost.example',
    '127.0.0.1.example',
    '::',
    '0.0.0.0',
    'unknown',
    '',
  ]) {
    expect(isOfThisMachine(place), place).toBe(false);
  }
});

it.each([
  ['a status that is not declared', 201, '{"url":"ws://127.0.0.1"}', 'not declared'],
  ['another shape than is declared', 200, '{"uri":7}', 'not as it is declared'],
  ['a refusal that is none of the platform', 404, '{"reason":"no"}', 'neither an error'],
  [
    'faults without their code',
    400,
    '{"message":"x","code":50035,"errors":{"a":{"_errors":["x"]}}}',
    'neither',
  ],
  ['a stack', 500, '{"message":"x\\n    at f (app.js:3:4)","code":0}', 'its inside'],
])('%s is a fault', (_what, status, text, words) => {
  expect(faultOf({ operation: operation('get_gateway'), status, text }, undefined)).toContain(words);
});

it.skipIf(publicDocument === undefined)(
  'an answer that deviates from the public document is a fault (needs OPENAPI_DOCUMENT, or the document beside the checkout)',
  () => {
    const judge = publicJudge();
    expect(judge.faults('get_gateway', 200, { url: 7 })).toEqual(['/url must be string']);
    expect(judge.faults('get_gateway', 404, { message: 7, code: 0 })).toEqual(['/message must be string']);
    expect(judge.faults('get_gateway', 418, { message: 'x', code: 0 })).toEqual([]);
    expect(judge.faults('get_gateway', 300, {})).toEqual(['has no answer 300']);
    expect(judge.faults('delete_application_user_role_connection', 204, {})).toEqual([
      'has no body with 204',
    ]);
  },
);
