// The SDK for a page: no module that it imports uses one of Node.
export * from './names.ts';
export { Client } from './page-client.ts';
