import type { EndpointFolders } from '../../../platform/operating-system.ts';
import type { ControlSource, ControlStatus } from '../../control/routes.ts';
import type { Limits } from '../../session/limits.ts';
import type { IpcTransport } from '../../transport/ipc/ipc.ts';
import type { BuiltCore, CoreOptions } from '../core-options.ts';
import type { DaemonOptions } from '../daemon-options.ts';

/** Settings of a world. */
export interface WorldSetting {
  readonly name: string;
  readonly fixture: CoreOptions['fixture'];
  readonly consent: CoreOptions['consent'];
  readonly strict: boolean;
}

/** Parts of the bridge that worlds use. */
export interface WorldsOptions
  extends Pick<DaemonOptions, 'os' | 'logger' | 'promptLimits' | 'pictures' | 'worldParts'> {
  readonly folders: EndpointFolders;
  readonly limits: Limits;
  /** Decision for AUTHORIZE of a world that states none. */
  readonly consent: CoreOptions['consent'];
  readonly gatewayConnections: number;
  readonly shared: NonNullable<BuiltCore['shared']>;
  readonly ipcAt: (path: string) => IpcTransport;
  readonly mayAllow: ControlSource['mayAllow'];
  readonly bridgeStatus: () => Promise<ControlStatus>;
}
