/** URL of the gateway: beside the API, with the scheme `ws:`. `base` is the URL of the API. */
export function gatewayUrl(base: string): string {
  return `${base.replace(/^http/, 'ws').replace(/\/api$/, '')}/gateway`;
}
