/** Where the gateway is: beside the API, as `ws:`. `base` is the address of the API. */
export function gatewayUrl(base: string): string {
  return `${base.replace(/^http/, 'ws').replace(/\/api$/, '')}/gateway`;
}
