/** Destination of a request of an activity's frame. */
export interface FrameTarget {
  /** An address of loopback. */
  readonly host: string;
  readonly port: number;
  /** Host name of the target: the `Host` of a request. */
  readonly authority: string;
  /** Path and query at the target. */
  readonly path: string;
  /** Prefix of every path there, and of every path of the frame that leads there, without a slash at the end. */
  readonly base: string;
  readonly prefix: string;
}

/** An open host page. */
export interface FrameChannel {
  readonly instance: string;
  /** Names the frame in its handshake. */
  readonly frame: string;
  /** Query of the frame's address, without a question mark. */
  readonly query: string;
  /** Lets the page in again after it was loaded again; good once. */
  readonly key: string;
  /** The listener is called once when its user is no longer in the instance. */
  onEnd(listener: () => void): void;
  /** The page has closed. */
  leave(): void;
}

/** Activities and their participants. Queried for every request, so that the answer may change. */
export interface ActivityDirectory {
  isActivity(application: string): boolean;
  /** Uses a key up; undefined for an invalid one. */
  enter(application: string, key: string): FrameChannel | undefined;
  /** Undefined where no mapping matches. */
  proxied(application: string, url: string): FrameTarget | undefined;
}
