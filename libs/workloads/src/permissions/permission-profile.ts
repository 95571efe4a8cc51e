import * as z from 'zod/mini';

const texts = z.readonly(z.array(z.string()));

/**
 * The permissions of a server, in the format of permission profile files. Unknown members are kept
 * and never widen a right.
 */
export const PermissionProfile = z.looseObject({
  name: z.optional(z.string()),
  /** Mounts that the server may read; and those that it may also write. */
  read: z.optional(z.nullable(texts)),
  write: z.optional(z.nullable(texts)),
  network: z.optional(
    z.nullable(
      z.looseObject({
        /** The network mode of the engine; empty for a network of its own. */
        mode: z.optional(z.string()),
        outbound: z.optional(
          z.nullable(
            z.looseObject({
              insecure_allow_all: z.optional(z.boolean()),
              allow_host: z.optional(z.nullable(texts)),
              allow_port: z.optional(z.nullable(z.array(z.int().check(z.minimum(1), z.maximum(65_535))))),
            }),
          ),
        ),
        inbound: z.optional(z.nullable(z.looseObject({ allow_host: z.optional(z.nullable(texts)) }))),
      }),
    ),
  ),
  /** All capabilities and devices of the machine. */
  privileged: z.optional(z.boolean()),
  /** A root filesystem that the server cannot change, with an empty `/tmp` in memory. */
  read_only_root: z.optional(z.boolean()),
});
export type PermissionProfile = z.output<typeof PermissionProfile>;
