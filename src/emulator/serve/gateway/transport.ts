import { CloseCode, GatewayFault } from './codes.ts';
import { COMPRESSORS, type Compressor } from './wire.ts';

/** Supported gateway versions. */
const OLDEST = 6;
const NEWEST = 10;

/** How the payloads of a connection are written. */
interface GatewayTransport {
  readonly version: number;
  /** Absent where they are not compressed in a stream. */
  readonly compressor?: () => Compressor;
}

/** Reads the transport options in the query of the URL, or returns the reason for a refusal. */
export function transportOf(query: URLSearchParams): GatewayTransport | GatewayFault {
  const version = query.get('v') ?? String(NEWEST);
  if (!/^\d{1,2}$/.test(version) || Number(version) < OLDEST || Number(version) > NEWEST) {
    const message = `Invalid API version: v is from ${OLDEST} to ${NEWEST}`;
    return new GatewayFault(CloseCode.INVALID_API_VERSION, message);
  }
  const encoding = query.get('encoding') ?? 'json';
  if (encoding !== 'json') {
    const name = encoding === 'etf' ? 'ETF' : 'that encoding';
    return undecodable(`${name} is not offered; connect with encoding=json`);
  }
  const compress = query.get('compress') ?? '';
  if (compress === '') return { version: Number(version) };
  const compressor = COMPRESSORS.get(compress);
  if (compressor !== undefined) return { version: Number(version), compressor };
  return undecodable(
    compress === 'zstd-stream'
      ? `zstd-stream needs Node 22.15 or newer, this is ${process.versions.node}; take zlib-stream`
      : 'compress is zlib-stream, zstd-stream or absent',
  );
}

function undecodable(why: string): GatewayFault {
  return new GatewayFault(CloseCode.DECODE_ERROR, `Error while decoding payload: ${why}`);
}
