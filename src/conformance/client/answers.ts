import { verify } from '../failure.ts';
import { formatValue } from '../format.ts';
import { isRecord } from '../schema.ts';
import { sleep } from '../target/launch.ts';
import { type ClientCase, clientCase } from './case.ts';

const refusal = (cmd: unknown, nonce: unknown, data: unknown) => ({ cmd, data, evt: 'ERROR', nonce });

/** Cases about the handling of answers, errors and events. */
export const answerCases: readonly ClientCase[] = [
  clientCase('client-answer/1', 'ERROR reaches the app with code and message', async (stage) => {
    const { client, visitor } = await stage.meet('request');
    const request = await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.sendJson(refusal(request.cmd, request.nonce, { code: 4006, message: 'Not authenticated' }));
    const error = await client.saw('error', stage.timeouts.answerMs);
    verify(error['code'] === 4006, 'code 4006', formatValue(error['code']));
    verify(
      String(error['message']).includes('Not authenticated'),
      'its message',
      formatValue(error['message']),
    );
  }),
  clientCase('client-answer/2', 'ERROR concerns its own request only', async (stage) => {
    const { client, visitor } = await stage.meet('request', { CONFORMANCE_COUNT: '2' });
    const first = await visitor.requestOf('GET_VOICE_SETTINGS');
    const second = await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.sendJson(refusal(first.cmd, first.nonce, { code: 1000, message: 'Unknown Error' }));
    await client.saw('error', stage.timeouts.answerMs);
    visitor.answer(second, { mute: true });
    await client.saw('reply', stage.timeouts.answerMs);
  }),
  clientCase('client-answer/3', 'ERROR without data', async (stage) => {
    const { client, visitor } = await stage.meet('request');
    const request = await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.sendJson(refusal(request.cmd, request.nonce, null));
    await client.saw('error', stage.timeouts.answerMs);
    client.verifyNoCrash();
  }),
  clientCase('client-answer/4', 'ERROR without a nonce', async (stage) => {
    const { client, visitor } = await stage.meet('request');
    const request = await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.sendJson(refusal('DISPATCH', null, { code: 1000, message: 'Unknown Error' }));
    await sleep(20);
    visitor.answer(request, { mute: true });
    await client.saw('reply', stage.timeouts.answerMs);
  }),
  clientCase('client-answer/5', 'an event that is not known', async (stage) => {
    const { client, visitor } = await stage.meet('request');
    const request = await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.sendJson({ cmd: 'DISPATCH', data: { a: 1 }, evt: 'NO_SUCH_EVENT', nonce: null });
    await sleep(20);
    visitor.answer(request, { mute: true });
    await client.saw('reply', stage.timeouts.answerMs);
  }),
  clientCase('client-answer/6', 'an answer that belongs to nothing', async (stage) => {
    const { client, visitor } = await stage.meet('request');
    const request = await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.sendJson({
      cmd: 'GET_VOICE_SETTINGS',
      data: { mute: false },
      evt: null,
      nonce: 'nobody asked',
    });
    await sleep(20);
    visitor.answer(request, { mute: true });
    const reply = await client.saw('reply', stage.timeouts.answerMs);
    const data = reply['data'];
    verify(isRecord(data) && data['mute'] === true, 'the answer with the right nonce', () =>
      formatValue(data),
    );
  }),
  clientCase('client-answer/7', 'answers in another order', async (stage) => {
    const { client, visitor } = await stage.meet('request', { CONFORMANCE_COUNT: '2' });
    const first = await visitor.requestOf('GET_VOICE_SETTINGS');
    const second = await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.answer(second, { number: 2 });
    await sleep(20);
    visitor.answer(first, { number: 1 });
    for (const number of [1, 2]) {
      const reply = await client.saw('reply', stage.timeouts.answerMs, (one) => one['number'] === number);
      const data = reply['data'];
      verify(isRecord(data) && data['number'] === number, `answer ${number} for request ${number}`, () =>
        formatValue(data),
      );
    }
  }),
  clientCase('client-answer/8', 'keys that are not known', async (stage) => {
    const { client, visitor } = await stage.meet('request');
    const { cmd, nonce } = await visitor.requestOf('GET_VOICE_SETTINGS');
    visitor.sendJson({ cmd, data: { mute: true, more: [] }, evt: null, nonce, trace: { id: 1 } });
    await client.saw('reply', stage.timeouts.answerMs);
  }),
  clientCase('client-answer/9', 'no answer at all', async (stage) => {
    const { client, visitor } = await stage.meet('request');
    await visitor.requestOf('GET_VOICE_SETTINGS');
    await client.sawAny(['error'], stage.timeouts.deadlineMs);
  }),
  clientCase('client-answer/10', 'an event reaches the app with its data', async (stage) => {
    const { client, visitor } = await stage.meet('subscribe');
    const request = await visitor.requestOf('SUBSCRIBE');
    visitor.answer(request, { evt: request.evt });
    await sleep(50);
    visitor.sendJson({ cmd: 'DISPATCH', data: { mute: true }, evt: request.evt, nonce: null });
    const event = await client.saw('event', stage.timeouts.answerMs);
    const data = event['data'];
    verify(isRecord(data) && data['mute'] === true, 'data {"mute":true}', () => formatValue(data));
  }),
];
