import type { Check } from './check.ts';
import { bridge } from './checks/bridge.ts';
import { clock } from './checks/clock.ts';
import { configuration } from './checks/config.ts';
import { core } from './checks/core.ts';
import { dataFolder } from './checks/data-folder.ts';
import { elevation } from './checks/elevation.ts';
import { endpointVariable } from './checks/endpoint-variable.ts';
import { endpoints } from './checks/endpoints.ts';
import { files } from './checks/files.ts';
import { flatpak } from './checks/flatpak.ts';
import { forwards } from './checks/forwards.ts';
import { furtherEndpoints } from './checks/further-endpoints.ts';
import { handshake } from './checks/handshake.ts';
import { leftovers } from './checks/leftovers.ts';
import { logFolder } from './checks/log-folder.ts';
import { nativeCalls } from './checks/native.ts';
import { nodeVersion } from './checks/node.ts';
import { pages } from './checks/pages.ts';
import { ports } from './checks/ports.ts';
import { privateFolder } from './checks/private-folder.ts';
import { runtimeFolder } from './checks/runtime-folder.ts';
import { sandboxes } from './checks/sandboxes.ts';
import { service } from './checks/service.ts';
import { snap } from './checks/snap.ts';

/** Every check, in the order of the report. */
export const allChecks: readonly Check[] = [
  nodeVersion,
  nativeCalls,
  clock,
  configuration,
  files,
  runtimeFolder,
  privateFolder,
  dataFolder,
  logFolder,
  service,
  bridge,
  core,
  endpoints,
  leftovers,
  furtherEndpoints,
  forwards,
  elevation,
  endpointVariable,
  handshake,
  ports,
  pages,
  flatpak,
  snap,
  sandboxes,
];
