import { z } from 'zod';
import { MAX_ITEMS, Text } from './inputs.ts';

const Texts = z.array(Text).max(MAX_ITEMS);

/**
 * The permission profile of an entry, in the format of profile files. Unknown fields stay: the
 * reader of profiles decides about them.
 */
const PermissionProfile = z.looseObject({
  name: Text.optional(),
  read: Texts.optional(),
  write: Texts.optional(),
  privileged: z.boolean().optional(),
  network: z
    .looseObject({
      outbound: z
        .looseObject({
          insecure_allow_all: z.boolean().optional(),
          allow_host: Texts.optional(),
          allow_port: z.array(z.int().min(1).max(65_535)).max(MAX_ITEMS).optional(),
          allow_transport: Texts.optional(),
        })
        .optional(),
      inbound: z.looseObject({ allow_host: Texts.optional() }).optional(),
    })
    .optional(),
});

/** The permission profile of an entry. */
export type RegistryPermissions = z.infer<typeof PermissionProfile>;

/** The statement of a publisher about the origin of an image. */
const Provenance = z.looseObject({
  sigstore_url: Text.optional(),
  repository_uri: Text.optional(),
  repository_ref: Text.optional(),
  signer_identity: Text.optional(),
  runner_environment: Text.optional(),
  cert_issuer: Text.optional(),
  attestation: z.looseObject({ predicate_type: Text.optional(), predicate: z.unknown() }).optional(),
});

/** The provenance of an entry. */
export type RegistryProvenance = z.infer<typeof Provenance>;

/** How clients sign in at a remote server. */
const OAuthConfig = z.looseObject({
  issuer: Text.optional(),
  authorize_url: Text.optional(),
  token_url: Text.optional(),
  client_id: Text.optional(),
  scopes: Texts.optional(),
  use_pkce: z.boolean().optional(),
  oauth_params: z.record(z.string(), Text).optional(),
  callback_port: z.int().min(1).max(65_535).optional(),
  resource: Text.optional(),
});

/** The sign-in of a remote entry. */
export type RegistryOAuthConfig = z.infer<typeof OAuthConfig>;

/** The additions of the publisher to an image, a package or an address of an entry. */
export const PublisherExtension = z.looseObject({
  status: z
    .string()
    .max(20)
    .transform((status) => status.toLowerCase())
    .optional(),
  tier: Text.optional(),
  tools: Texts.optional(),
  tags: Texts.optional(),
  overview: Text.optional(),
  permissions: PermissionProfile.optional(),
  args: Texts.optional(),
  provenance: Provenance.optional(),
  proxy_port: z.int().min(1).max(65_535).optional(),
  stateless: z.boolean().optional(),
  oauth_config: OAuthConfig.optional(),
});

/** The extension of one image, package or address. */
export type PublisherExtension = z.infer<typeof PublisherExtension>;
