import { z } from 'zod';

/** The kinds of gateways. The kind decides which operations the clients of a gateway may call. */
export const GATEWAY_KINDS = ['connector', 'ai', 'management'] as const;
export type GatewayKind = (typeof GATEWAY_KINDS)[number];

/** A text of one line. @param maximum length in characters */
export const oneLine = (maximum: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maximum)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be one line of text');

/** The OAuth client of a gateway: `client_id` of the tokens of an issuer, else `azp`. */
const gatewayClient = z.strictObject({ issuer: z.url({ protocol: /^https?$/ }), client_id: oneLine(255) });

const gateway = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens'),
    display_name: oneLine(255),
    kind: z.enum(GATEWAY_KINDS, {
      error: ({ input }) =>
        input === undefined
          ? 'is required and must be "connector", "ai" or "management"'
          : 'must be "connector", "ai" or "management"',
    }),
    client_ids: z.array(gatewayClient).min(1, 'must name at least one client'),
    secrets: z.array(z.guid()).optional(),
    retired: z.literal(true).optional(),
  })
  .refine(({ kind, secrets }) => kind === 'ai' || secrets === undefined, {
    path: ['secrets'],
    error: 'is only for gateways of the kind "ai"; a connector gateway reads the secrets of its connectors',
  });

/** An entry of GATEWAYS. */
export type GatewaySettings = z.output<typeof gateway>;

/**
 * GATEWAYS: the gateways of a deployment and the clients that act for them. A client may act for
 * several gateways.
 */
export const gatewayList = z
  .array(gateway)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'names an id twice');
