export { Client } from './client.ts';
export * from './names.ts';
