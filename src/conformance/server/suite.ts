import { platform } from 'node:os';
import { Failure, Unavailable, UsageError } from '../failure.ts';
import type { Options } from '../options.ts';
import { readTextFile } from '../read-file.ts';
import { requirements } from '../requirements.ts';
import type { Suite } from '../suite.ts';
import { readConversations } from '../vectors/conversation.ts';
import type { ServerCase } from './case.ts';
import { serverCases } from './cases.ts';
import { conversationCase } from './conversation-case.ts';
import { endpointHost, type NamedHost, StartedHost } from './host.ts';
import { runServerCases } from './run.ts';

/** Server suite for the target of the options. */
export function serverSuite(options: Options): Suite {
  const { endpoint, start, settings } = options;
  const all = [...serverCases, ...options.vectors.flatMap((file) => readVectors(file))];
  const isAddress = endpoint !== undefined && /^wss?:/.test(endpoint);
  const transport = isAddress ? 'websocket' : settings.transport;
  const omitted = all.flatMap((one) => {
    const reason = reasonToOmit(one, transport, start !== undefined || options.list);
    return reason === undefined || options.list ? [] : [{ case: one, reason }];
  });
  const host =
    start === undefined ? endpointHost(endpoint ?? '', settings) : new StartedHost(start, settings);
  return {
    target: start === undefined ? (endpoint ?? '') : `started by: ${start}`,
    all,
    omitted,
    reach: () => reach(host),
    run: (cases, onResult, signal) => {
      const chosen = new Set(cases);
      const own = all.filter((one) => chosen.has(one));
      return runServerCases(own, host, start, settings, { onResult, signal });
    },
  };
}

async function reach(host: NamedHost): Promise<void> {
  try {
    await host.reach();
  } catch (error) {
    await host.close();
    if (!(error instanceof Failure)) throw error;
    throw new Unavailable(`${error.actual} (expected ${error.expected})`);
  }
}

function reasonToOmit(
  one: ServerCase,
  transport: 'ipc' | 'websocket',
  isStarted: boolean,
): string | undefined {
  if (one.mode === 'exclusive') {
    if (transport === 'websocket') return 'it is about the framed transport';
    if (!isStarted) return 'it stops the server, so it needs --start';
    return one.unixOnly && platform() === 'win32' ? 'it is about files, which pipes have not' : undefined;
  }
  if (one.transports.includes(transport)) return undefined;
  return transport === 'ipc' ? 'it is about the WebSocket' : 'it is about the framed transport';
}

function readVectors(file: string): readonly ServerCase[] {
  const known = new Set(requirements.map((requirement) => requirement.id));
  const taken = new Set(serverCases.map((one) => one.id));
  return readConversations(readTextFile(file, '--vectors'), file).map((conversation) => {
    const unknown = conversation.judges.find((id) => !known.has(id));
    if (unknown !== undefined)
      throw new UsageError(`${file}: ${conversation.id}: no requirement "${unknown}"`);
    if (taken.has(conversation.id))
      throw new UsageError(`${file}: ${conversation.id}: the suite has a case of this id`);
    return conversationCase(conversation);
  });
}
