/** Checks the method and the MCP-Protocol-Version header of a request. */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { Header } from '@gatehouse/mcp/headers';
import { isKnownRevision, isModernRevision, LEGACY_REVISIONS, MODERN_REVISIONS } from '@gatehouse/mcp/revisions';
import { refuse } from '../pipeline/exchange.ts';
import type { Pass } from '../pipeline/passes.ts';

/**
 * `strict` refuses versions that were never published. `stateless` allows only POST; so do the
 * revisions without a GET stream.
 */
export function createProtocolPass(options: { strict: boolean; stateless: boolean }): Pass {
  const { strict, stateless } = options;
  const known = [...LEGACY_REVISIONS, ...MODERN_REVISIONS].join(', ');
  return {
    name: 'protocol',
    enter({ request, response }) {
      const version = request.headers[Header.protocolVersion];
      if (strict && version !== undefined && !(typeof version === 'string' && isKnownRevision(version))) {
        refuse(
          response,
          400,
          ErrorCode.invalidRequest,
          `The MCP-Protocol-Version is not supported; send one of ${known}.`,
        );
        return 'done';
      }
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
