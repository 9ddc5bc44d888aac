/** Where a request of an activity's frame goes. */
export interface FrameTarget {
  /** An address of loopback. */
  readonly host: string;
  readonly port: number;
  /** What the target is called: the `Host` of a request. */
  readonly authority: string;
  /** Path and query at the target. */
  readonly path: string;
  /** What stands before every path there, and before every path of the frame that leads there, without a slash at the end. */
  readonly base: string;
  readonly prefix: string;
}

/** A host page that somebody has opened. */
export interface FrameChannel {
  readonly instance: string;
  /** Names the frame in its handshake. */
  readonly frame: string;
  /** What the address of the frame tells the app, without a question mark. */
  readonly query: string;
  /** Lets the page in again after it was loaded again; good once. */
  readonly key: string;
  /** Told once when its user is no longer in the instance. */
  onEnd(listener: () => void): void;
  /** The page is gone. */
  leave(): void;
}

/** Which activities there are, and who is in them. Asked for every request, so that the answer may change. */
export interface ActivityDirectory {
  isActivity(application: string): boolean;
  /** Uses a key up; undefined for one that is not good. */
  enter(application: string, key: string): FrameChannel | undefined;
  /** Undefined where nothing is mapped. */
  proxied(application: string, url: string): FrameTarget | undefined;
}
