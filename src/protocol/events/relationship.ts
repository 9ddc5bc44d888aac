import { defineEvent } from '../event.ts';
import { anyOf } from '../scope.ts';
import { noArgs } from '../shapes/common.ts';
import { relationship } from '../shapes/relationship.ts';

/** A friend, request or block changed, or a friend's presence. Type 0 stands for a removed relationship. */
export const RELATIONSHIP_UPDATE = defineEvent({
  scope: anyOf('relationships.read'),
  about: ['relationships', 'presences'],
  args: noArgs,
  data: relationship,
});
