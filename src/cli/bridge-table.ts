import type { CliCommand } from './command.ts';
import { attach, attached, detach } from './commands/attach.ts';
import { bugreport } from './commands/bugreport.ts';
import { call } from './commands/call.ts';
import { completion, completionIds } from './commands/completion.ts';
import { configShow } from './commands/config.ts';
import { conformance } from './commands/conformance.ts';
import { approve, deny, grants, requests, revoke } from './commands/consent.ts';
import { console } from './commands/console.ts';
import { doctor } from './commands/doctor.ts';
import { emulate } from './commands/emulate.ts';
import { endpointsAdd, endpointsList, endpointsRemove } from './commands/endpoints.ts';
import { env, exec } from './commands/env.ts';
import { forward } from './commands/forward.ts';
import { help } from './commands/help.ts';
import { journal } from './commands/journal.ts';
import { originsAdd, originsList, originsRemove } from './commands/origins.ts';
import { record, replay } from './commands/record.ts';
import { run } from './commands/run.ts';
import { schema } from './commands/schema.ts';
import { install, logs, restart, start, stop, uninstall } from './commands/service.ts';
import { status } from './commands/status.ts';
import { token } from './commands/token.ts';
import { watch } from './commands/watch.ts';

/** Commands that do not change the emulator's state, in the order of the help. */
export const bridgeCommands: readonly CliCommand[] = [
  run,
  status,
  doctor,
  bugreport,
  console,
  install,
  uninstall,
  start,
  stop,
  restart,
  logs,
  requests,
  approve,
  deny,
  grants,
  revoke,
  attach,
  attached,
  detach,
  forward,
  token,
  call,
  watch,
  journal,
  emulate,
  env,
  exec,
  record,
  replay,
  originsList,
  originsAdd,
  originsRemove,
  endpointsList,
  endpointsAdd,
  endpointsRemove,
  help,
  configShow,
  schema,
  conformance,
  completion,
  completionIds,
];
