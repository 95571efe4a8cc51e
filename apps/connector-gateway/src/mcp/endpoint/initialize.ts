import { z } from 'zod';
import type { JsonBody } from '../http/read-json.ts';
import { HttpRefusalError } from '../http/http-refusal.ts';

/** Largest `initialize` in bytes. The session store keeps the request. */
const MAX_BYTES = 65_536;
const MAX_NODES = 2_000;

const Initialize = z.looseObject({
  params: z.looseObject({
    protocolVersion: z.string(),
    capabilities: z.looseObject({}),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
});

/**
 * Checks the first request of a session before the session is stored.
 * @throws HttpRefusalError 400, or 413 for one that is too large to keep
 */
export function checkInitialize({ value, bytes, nodes }: JsonBody): void {
  if (bytes > MAX_BYTES)
    throw new HttpRefusalError(413, -32600, `initialize must not be larger than ${MAX_BYTES} bytes`);
  if (nodes > MAX_NODES)
    throw new HttpRefusalError(413, -32600, `initialize must not hold more than ${MAX_NODES} values`);
  if (!Initialize.safeParse(value).success)
    throw new HttpRefusalError(400, -32602, 'initialize needs protocolVersion, capabilities and clientInfo');
}
