import { z } from 'zod';

const Address = { url: z.string().max(2_000), allow_private_ip: z.boolean().default(false) };

/** The place of a registry, as settings store it. */
export const RegistrySource = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('embedded') }),
  z.looseObject({ kind: z.literal('file'), path: z.string().max(4_000) }),
  /** A document at a URL. */
  z.looseObject({ kind: z.literal('url'), ...Address }),
  /** The API of the official registry, version v0.1; the URL is its base. */
  z.looseObject({ kind: z.literal('api'), ...Address }),
]);

/** The place of a registry. */
export type RegistrySource = z.infer<typeof RegistrySource>;
