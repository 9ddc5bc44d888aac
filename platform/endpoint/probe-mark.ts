/** Begins the text in each PING with which Footbridge asks who stands at an endpoint: such a connection is no app. */
export const PROBE_MARK = 'footbridge-probe:';
