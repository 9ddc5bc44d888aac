import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv, type AnySchema } from 'ajv';
import { expect, it } from 'vitest';
import type { Passed } from '../../src/journal/entry.ts';
import { type HttpArchive, harOf } from '../../src/journal/har.ts';
import { Journal } from '../../src/journal/journal.ts';

const folder = dirname(fileURLToPath(import.meta.resolve('har-schema')));

/** The published schemas of HAR 1.2 are of draft 6, with words of their own. */
function problemsOf(archive: HttpArchive): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  ajv.addFormat('uri', /^[a-z]+:\/\/\S+$/);
  // We never say where a server is.
  for (const format of ['ipv4', 'ipv6']) ajv.addFormat(format, true);
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const { $schema: _draft, ...schema } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      $schema: string;
    };
    ajv.addSchema(schema as AnySchema);
  }
  const validate = ajv.getSchema('har.json#');
  if (validate === undefined) throw new Error('there is no schema of an archive');
  // What is not JSON is not there for a reader.
  void validate(JSON.parse(JSON.stringify(archive)));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function archiveOf(...passed: readonly Passed[]) {
  const journal = new Journal();
  for (const one of passed) journal.add(one);
  const archive = harOf(journal.read().entries, '1.2.3');
  return { archive, entries: archive.log.entries as readonly Record<string, unknown>[] };
}

const exchange: Passed = {
  kind: 'http',
  method: 'POST',
  path: '/api/oauth2/token?x=1&y=%20z',
  status: 302,
  ms: 12.5,
  request: { headers: { 'Content-Type': 'application/json' }, body: '{"a":1}', bytes: 7 },
  response: { headers: { location: '/there', 'content-type': 'image/png' }, body: '(image/png)', bytes: 70 },
};
const said = (session: string, direction: 'in' | 'out', text: string): Passed => ({
  kind: 'frame',
  session,
  direction,
  opcode: 1,
  text,
  bytes: text.length,
});

it('the HAR archive is valid by the published schema for every kind of entry', () => {
  const { archive, entries } = archiveOf(
    { kind: 'connect', session: 'a1', over: 'ipc', pid: 7 },
    said('a1', 'in', '{"cmd":"GET_GUILDS"}'),
    exchange,
    { ...exchange, path: '*', request: { headers: {}, bytes: 0 }, response: { headers: {}, bytes: 0 } },
    { kind: 'connect', session: 'g1', over: 'gateway' },
    { kind: 'gateway', session: 'g1', direction: 'out', text: '{"op":10}', bytes: 9 },
    { kind: 'broken', session: 'a1', message: 'no frame' },
    { kind: 'close', session: 'a1', code: 1003, message: 'no' },
    { kind: 'end', session: 'a1' },
    { kind: 'fault', fault: 'f1', what: 'drop: a webhook' },
    { kind: 'fault', fault: 'f2', session: 'g1', what: 'close' },
    {
      kind: 'webhook',
      application: '3',
      type: 'PING',
      url: 'http://127.0.0.1:3000/events',
      ms: 3,
      text: '{"type":0}',
      outcome: { kind: 'answered', status: 204 },
    },
    {
      kind: 'webhook',
      application: '3',
      type: 'EVENT',
      url: 'no address',
      ms: 3,
      text: '{"type":1}',
      outcome: { kind: 'failed', reason: 'nobody listens' },
    },
  );
  expect(problemsOf(archive)).toEqual([]);
  expect(entries).toHaveLength(6);
});

it('the published HAR schema rejects an archive with a wrong or a missing member', () => {
  const { archive } = archiveOf(exchange);
  const [entry] = archive.log.entries as [Record<string, unknown>];
  const broken = { log: { ...archive.log, entries: [{ ...entry, startedDateTime: 'today' }] } };
  expect(problemsOf(broken).join()).toContain('startedDateTime');
  const { request: _request, ...rest } = entry;
  expect(problemsOf({ log: { ...archive.log, entries: [rest] } }).join()).toContain("'request'");
});

it('the HAR archive is empty for an empty journal', () => {
  const { archive, entries } = archiveOf();
  expect([problemsOf(archive), entries]).toEqual([[], []]);
});

it('the HAR archive contains an HTTP exchange with its query, bodies and redirect', () => {
  const { entries } = archiveOf(exchange);
  expect(entries).toMatchObject([
    {
      time: 12.5,
      request: {
        method: 'POST',
        url: 'http://127.0.0.1/api/oauth2/token?x=1&y=%20z',
        queryString: [
          { name: 'x', value: '1' },
          { name: 'y', value: ' z' },
        ],
        postData: { mimeType: 'application/json', text: '{"a":1}' },
        bodySize: 7,
      },
      response: {
        status: 302,
        redirectURL: '/there',
        content: { size: 70, mimeType: 'image/png', text: '(image/png)' },
      },
    },
  ]);
});

it('the HAR archive contains a connection as a WebSocket from the view of its client', () => {
  const { entries } = archiveOf(
    said('b2', 'out', '{"late":1}'),
    { kind: 'connect', session: 'a1', over: 'websocket' },
    said('a1', 'in', '{"cmd":"A"}'),
    said('a1', 'out', '{"cmd":"A","data":1}'),
    { kind: 'close', session: 'a1', code: 1000, message: 'bye' },
  );
  const bySession = new Map(
    entries.map((entry) => [(entry['_connection'] as { session: string }).session, entry]),
  );
  expect(bySession.get('a1')).toMatchObject({
    _resourceType: 'websocket',
    _webSocketMessages: [
      { type: 'send', opcode: 1, data: '{"cmd":"A"}', _rpcOpcode: 1 },
      { type: 'receive', opcode: 1, data: '{"cmd":"A","data":1}' },
    ],
    _connection: { over: 'websocket', events: [{ kind: 'connect' }, { kind: 'close', code: 1000 }] },
    request: { method: 'GET', url: 'ws://127.0.0.1/rpc/a1' },
    response: { status: 101 },
  });
  // Its beginning is not in the journal any more.
  expect(bySession.get('b2')).toMatchObject({ _connection: { over: 'unknown' } });
});
