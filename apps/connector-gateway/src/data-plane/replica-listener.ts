import { Clock } from '@gatehouse/service-kit/clock';
import type { SideListener } from '@gatehouse/service-kit/start';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Settings } from '../config/config.ts';
import { DataPlane } from './data-plane.ts';
import type { ForwardedRequest } from '../mcp/ports/replicas.ts';
import { SignatureCheck, SignatureHeader } from '../replicas/replica-signature.ts';
import { FORWARDED_PATH } from '../replicas/request-forwarder.ts';

/** The largest message of a client, and its headers and claims. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

const forwardedRequest = z.object({
  method: z.enum(['GET', 'POST']),
  slug: z.string().nullable(),
  // A replica of an older version sends no mode.
  mode: z.enum(['search']).nullable().default(null),
  headers: z.record(z.string(), z.string()),
  user: z.object({
    issuer: z.string(),
    subject: z.string(),
    email: z.string().optional(),
    claims: z.record(z.string(), z.unknown()),
  }),
  expiresAt: z.iso.datetime(),
  message: z.unknown().optional(),
});

/**
 * The listener for the other replicas; undefined for a replica that works alone. It serves requests
 * of clients that another replica authenticated, and trusts only holders of `REPLICA_KEY`.
 */
export function createReplicaListener({
  HOST,
  REPLICA_PORT,
  REPLICA_URL,
  REPLICA_KEY,
}: Settings): SideListener | undefined {
  if (REPLICA_URL === undefined || REPLICA_KEY === undefined) return undefined;
  return {
    name: 'replicas',
    host: HOST,
    port: REPLICA_PORT,
    publicUrl: REPLICA_URL,
    register: (server, kit) => {
      const clock = kit.app.get(Clock);
      const check = new SignatureCheck(REPLICA_KEY, () => clock.now().getTime());
      const plane = kit.app.get(DataPlane);
      server.route({
        method: 'POST',
        url: FORWARDED_PATH,
        // The signature is checked here, since replicas have no tokens.
        config: { gatehouse: { access: 'self' } },
        onRequest: (request, reply) => {
          reply.hijack();
          void readForwarded(request.raw, check)
            .then((forwarded) =>
              forwarded === undefined
                ? refuse(reply.raw)
                : plane.requireEndpoint().serveForwarded(forwarded, reply.raw),
            )
            .catch((error: unknown) => {
              kit.log.error({ err: error }, 'a request of another replica failed');
              reply.raw.destroy();
            });
        },
        handler: () => undefined,
      });
    },
  };
}

/** Reads a request of another replica; undefined for one that is not genuine. */
async function readForwarded(request: IncomingMessage, check: SignatureCheck): Promise<ForwardedRequest | undefined> {
  const { headers } = request;
  const time = Number(headers[SignatureHeader.time]);
  const nonce = headers[SignatureHeader.nonce];
  const signature = headers[SignatureHeader.signature];
  if (typeof nonce !== 'string' || typeof signature !== 'string' || nonce.length > 64 || !check.isTimely(time))
    return undefined;
  const body = await readBody(request);
  if (body === undefined) return undefined;
  const signed = { method: 'POST', path: FORWARDED_PATH, body, time, nonce };
  return check.accept(signed, signature) ? forwardedRequest.parse(JSON.parse(body.toString())) : undefined;
}

/** Reads a body; undefined for one that is too long. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refuse(response: ServerResponse): void {
  const body = JSON.stringify({ error: 'the request has no valid signature of another replica' });
  response.writeHead(401, { 'content-type': 'application/json', connection: 'close' }).end(body);
}
