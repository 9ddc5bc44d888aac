// `bare.mjs PATH`: the least a server in Node can be, as the benchmark has it.
import '../../bench/servers/bare.ts';
