import { runClientStreams } from '../fuzz/client-streams.ts';
import { atMost, type Scenario } from './figure.ts';

const STREAMS = 10_000;

/** What hostile servers may send to the client library; other streams in every run. */
export const streams: Scenario = {
  name: 'client-streams',
  rows: [],
  raised: {},
  async run(progress) {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const { escaped, ready, answered } = await runClientStreams(seed, STREAMS, (done) =>
      progress(`${done} of ${STREAMS} streams from ${seed}`),
    );
    const goal = `0 exceptions escape the client over ${STREAMS.toLocaleString('en')} fuzzed server streams`;
    const note = `, seed ${seed}, ${ready} READY, ${answered} answers`;
    return [atMost(goal, escaped.length, 0, { unit: 'exceptions', digits: 0, note })];
  },
};
