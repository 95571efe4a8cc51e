import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { randomUUID } from 'node:crypto';
import type { Connector } from '../ports/snapshot.ts';
import type { ClientCall } from './client-call.ts';
import type { Plane } from './plane.ts';

/** The name of the gateway's own question among those of a connector's server. */
const SIGN_IN = 'gatehouse.dev/sign-in';

/**
 * Asks the user of a call to sign in at the provider of a connector. A client with URL elicitation
 * gets the question in the form of its revision.
 * @param problem the message of NeedsAuthError
 * @returns `input_required` for a client of revision 2026-07-28 that was not asked before, else a
 * text for the user or the model
 * @throws RpcError URLElicitationRequired for a client with a session
 */
export async function askToSignIn(
  plane: Plane,
  call: ClientCall,
  connector: Connector,
  problem: string,
): Promise<JsonObject | string> {
  const link = await plane.links.create(connector, call.user);
  const reason = `The connector "${connector.name}" ${problem}.`;
  if (link === undefined) return `${reason} Run: gatehouse connectors connect ${connector.slug}`;
  const wasAsked = isJsonObject(call.params['inputResponses']) && SIGN_IN in call.params['inputResponses'];
  if (wasAsked || !hasUrlElicitation(call)) return `${reason} Open ${link} in a browser, then try again.`;
  const question = { mode: 'url', elicitationId: randomUUID(), url: link, message: reason };
  if (call.sessionId !== undefined)
    throw new RpcError(ErrorCode.urlElicitationRequired, reason, { elicitations: [question] });
  return {
    resultType: 'input_required',
    inputRequests: { [SIGN_IN]: { method: 'elicitation/create', params: question } },
  };
}

/** Removes the answer to the gateway's own question from those for a connector's server. */
export function removeSignInAnswer(inputResponses: unknown): unknown {
  if (!isJsonObject(inputResponses) || !(SIGN_IN in inputResponses)) return inputResponses;
  const { [SIGN_IN]: _, ...others } = inputResponses;
  return Object.keys(others).length === 0 ? undefined : others;
}

const hasUrlElicitation = ({ capabilities: { elicitation } }: ClientCall): boolean =>
  isJsonObject(elicitation) && isJsonObject(elicitation['url']);
