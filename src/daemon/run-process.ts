import type { Native, NativeAbsence } from '../../platform/native/native.ts';
import { currentOs, type OperatingSystem } from '../../platform/operating-system.ts';
import { descriptorLimit } from '../../platform/process/descriptor-limit.ts';
import { applicationFolders } from './config/folders.ts';
import { releaseWhenIdle } from './heap.ts';
import { openSink, type Sink } from './log/sink.ts';
import type { SignalledProcess } from './signals.ts';

/** The parts of its process that `footbridge run` uses besides `Io`; a test substitutes its own. */
export interface RunProcess {
  readonly own: SignalledProcess & Pick<NodeJS.Process, 'umask'>;
  readonly folders: ReturnType<typeof applicationFolders>;
  readonly os: () => Promise<OperatingSystem>;
  /** Maximum number of open files. */
  readonly descriptorLimit: number | undefined;
  /** Opens stdout or stderr. */
  readonly sink: (fd: 1 | 2) => Sink;
  /** Returns memory to the system from now on. */
  readonly releaseWhenIdle: (native: Native | NativeAbsence) => void;
}

/** The real process. */
export function ownProcess(): RunProcess {
  return {
    own: process,
    folders: applicationFolders(),
    os: currentOs,
    descriptorLimit: descriptorLimit(),
    sink: (fd) => openSink(fd, () => (fd === 1 ? process.stdout : process.stderr)),
    releaseWhenIdle,
  };
}
