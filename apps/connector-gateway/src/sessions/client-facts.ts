import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import { negotiateRevision } from '../mcp/sessions/session.ts';

/** The longest stored text of a client about itself. */
const MAX_LENGTH = 200;

/** The client of a session as it described itself, and the negotiated revision. */
export interface ClientFacts {
  clientName: string | null;
  clientVersion: string | null;
  revision: string;
}

/** Reads the facts from the `initialize` request of a client. */
export function readClientFacts(initialize: Readonly<Record<string, unknown>>): ClientFacts {
  const params = isJsonObject(initialize['params']) ? initialize['params'] : {};
  const info = isJsonObject(params['clientInfo']) ? params['clientInfo'] : {};
  return {
    clientName: toStorableText(info['name']),
    clientVersion: toStorableText(info['version']),
    revision: negotiateRevision(params['protocolVersion']),
  };
}

/** One line of bounded length, without characters that Postgres refuses. */
const toStorableText = (value: unknown): string | null =>
  typeof value === 'string'
    ? value
        .slice(0, MAX_LENGTH)
        .toWellFormed()
        .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '\uFFFD')
    : null;
