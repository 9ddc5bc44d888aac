import { describe, expect, it } from 'vitest';
import { commands, events, findCommand, findEvent } from '../../src/protocol/registry.ts';

/** Names that a look-up in a plain object would find without being declared. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

describe('an undeclared name', () => {
  it.each([...INHERITED, '', ' ', 'prototype', 'get_guild', 'GET_GUILD ', 'GET_GUILD\0', 'DISPATCH'])(
    'is no command: %j',
    (name) => {
      expect(findCommand(name)).toBeUndefined();
    },
  );
  it.each([...INHERITED, '', 'GET_GUILD', 'ready', 'READY '])('is no event: %j', (name) => {
    expect(findEvent(name)).toBeUndefined();
  });
});

describe('every command', () => {
  it.each(Object.keys(commands))('%s is found, and builds each of its schemas once', (name) => {
    const command = findCommand(name);
    expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
    expect(command?.args()).toBe(command?.args());
    expect(command?.result()).toBe(command?.result());
  });
  it.each(Object.keys(commands))('%s refuses arguments that are not an object', (name) => {
    for (const args of ['x', 1, true, [], [[]]]) {
      expect(findCommand(name)?.args().safeParse(args).success, JSON.stringify(args)).toBe(false);
    }
  });
});

describe('every event', () => {
  it.each(Object.keys(events))('%s is found, and builds each of its schemas once', (name) => {
    const event = findEvent(name);
    expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
    expect(event?.args()).toBe(event?.args());
    expect(event?.data()).toBe(event?.data());
  });
  it.each(Object.keys(events))('%s refuses arguments that are not an object', (name) => {
    for (const args of ['x', 1, true, [], [[]]]) {
      expect(findEvent(name)?.args().safeParse(args).success, JSON.stringify(args)).toBe(false);
    }
  });
});
