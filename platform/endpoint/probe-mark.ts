/** Begins the text in each PING of a Footbridge probe: such a connection is no app. */
export const PROBE_MARK = 'footbridge-probe:';
