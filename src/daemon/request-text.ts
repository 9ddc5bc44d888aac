import type { Style } from '../base/style.ts';
import { printable } from '../base/text.ts';
import type { WaitingRequest } from '../emulator/api/waiting-request.ts';

/**
 * Text of a request: the requester and its scopes. Only the application's id and the endpoint with its sandbox are
 * certain; every other field is a claim of the requester or of others.
 */
export function requestText(request: WaitingRequest, style: Style): string {
  const name = style.strong(`"${printable(request.applicationName)}"`);
  return [
    `\n${name} (application ${request.clientId}) asks to:\n`,
    ...wishes(request, style),
    requesterText(request),
  ].join('');
}

function wishes(request: WaitingRequest, style: Style): string[] {
  if (request.kind === 'authorization') {
    return request.scopes.map(
      ({ name, description }) => `  - ${printable(description)} ${style.faint(`(${printable(name)})`)}\n`,
    );
  }
  return [
    `  - ${printable(request.what)} ${style.faint(`(${request.cmd})`)}\n`,
    ...request.details.map((detail) => `    ${printable(detail)}\n`),
  ];
}

function requesterText(request: WaitingRequest): string {
  const { program, pid } =
    request.kind === 'authorization' ? request.peer : { program: undefined, pid: request.pid };
  const named = program === undefined ? 'an unnamed program' : printable(program);
  const process = pid === undefined || pid === null || pid === 0 ? '' : `, pid ${pid}`;
  const entrance = request.kind === 'authorization' ? request.peer.entrance : request.entrance;
  const through = entrance === undefined ? '' : ` Through the ${printable(entrance)}.`;
  return `Asked by ${named}${process} (unverified).${through} Request ${request.id}.\n`;
}
