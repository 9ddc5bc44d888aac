/** Address on which every port of the daemon listens. */
export const LOOPBACK = '127.0.0.1';

/**
 * Whether a Host header names the port of the connection, with an address of this machine. A web page whose name was
 * pointed at this machine (DNS rebinding) names its own host instead.
 */
export function isOurHost(host: string | undefined, port: number): boolean {
  return host === `${LOOPBACK}:${port}` || host === `localhost:${port}`;
}
