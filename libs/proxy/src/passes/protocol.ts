/** Checks the method and the MCP-Protocol-Version header of a request. */
import { createErrorResponse, ErrorCode } from '@gatehouse/mcp/errors';
import { Header } from '@gatehouse/mcp/headers';
import { hasModernKey } from '@gatehouse/mcp/meta';
import { isKnownRevision, isModernRevision, LEGACY_REVISIONS, MODERN_REVISIONS } from '@gatehouse/mcp/revisions';
import { answerError, type Exchange, refuse } from '../pipeline/exchange.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';

/**
 * `strict` refuses versions that were never published. `stateless` allows only POST; so do the
 * revisions without a GET stream.
 */
export function createProtocolPass(options: { strict: boolean; stateless: boolean }): Pass {
  const { strict, stateless } = options;
  return {
    name: 'protocol',
    enter(exchange) {
      const { request, response } = exchange;
      const version = request.headers[Header.protocolVersion];
      if (strict && version !== undefined && !(typeof version === 'string' && isKnownRevision(version)))
        return refuseVersion(exchange, String(version));
      const { method } = request;
      if (method === 'POST' || method === 'OPTIONS') return 'next';
      if (!stateless && !(typeof version === 'string' && isModernRevision(version))) return 'next';
      refuse(response, 405, ErrorCode.invalidRequest, 'This server accepts POST only.', undefined, {
        allow: 'POST, OPTIONS',
      });
      return 'done';
    },
  };
}

/** Answers as a server of the era of the request (2026-07-28, UnsupportedProtocolVersionError). */
async function refuseVersion(exchange: Exchange, requested: string): Promise<PassResult> {
  const read = exchange.method === 'POST' ? await exchange.readMessage() : undefined;
  const request = read?.kind === 'request' ? read.message : undefined;
  const supported = hasModernKey(request?.params) ? MODERN_REVISIONS : [...LEGACY_REVISIONS, ...MODERN_REVISIONS];
  const text = `The MCP-Protocol-Version is not supported; send one of ${supported.join(', ')}.`;
  const code = ErrorCode.unsupportedProtocolVersion;
  answerError(exchange.response, 400, createErrorResponse(request?.id, code, text, { supported, requested }));
  return 'done';
}
