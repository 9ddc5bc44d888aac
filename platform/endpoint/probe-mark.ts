/** Text at the start of each PING of a Footbridge probe. A connection that sends it is not an app. */
export const PROBE_MARK = 'footbridge-probe:';
