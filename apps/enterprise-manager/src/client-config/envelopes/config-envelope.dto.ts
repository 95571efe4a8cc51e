import { z } from 'zod';
import { DegradedMode, EnterpriseConfig } from '../document/directives.dto.ts';

/** Semantic Versioning 2.0.0. */
const SEMVER =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

/** Who asks. */
export const ConfigRequestHeaders = z.object({
  'X-Client-Type': z
    .enum(['gatehouse-desktop', 'gatehouse-cli', 'gatehouse-cloud-ui'])
    .describe('Type of the client; the envelope is made for it alone'),
  'X-Client-Version': z
    .string()
    .max(128)
    .regex(SEMVER, 'must be a version such as 1.2.3 (Semantic Versioning 2.0.0)')
    .describe('Version of the client, semantic versioning'),
  'If-Modified-Since': z
    .string()
    .optional()
    .describe('`Last-Modified` of the envelope that the client has, beside `If-None-Match`'),
});
export type ConfigRequestHeaders = z.infer<typeof ConfigRequestHeaders>;
export type ClientType = ConfigRequestHeaders['X-Client-Type'];

/** A degraded mode and whether it holds now. */
const DegradedModeState = z
  .object({
    ...DegradedMode.shape,
    in_force: z
      .boolean()
      .describe('True while the database is away: `config` is then the last one that is known. False otherwise'),
  })
  .meta({
    id: 'DegradedModeState',
    description: 'What happens while a dependency of the manager is down, and whether one is',
  });

/** The signed configuration of the caller for one type of client. */
export const ConfigEnvelope = z
  .object({
    schema_version: z.string(),
    config: EnterpriseConfig,
    degraded_mode: DegradedModeState.optional().describe(
      'Present where `config` has one, and while the database is away; `in_force` tells which',
    ),
    issued_at: z.iso.datetime().describe('Grows with every change; a client takes nothing older than what it has'),
    not_after: z.iso.datetime().describe('From this instant on the envelope must not be used'),
    refresh_interval: z.string().describe('When to ask again, for example `5m`'),
    etag: z.string().describe('`sha256:` and the digest of the canonical `config` and `degraded_mode` (RFC 8785)'),
    signature: z
      .string()
      .describe(
        'Detached JWS (RFC 7515, RFC 7797, ES256) over the canonical envelope without `signature` and `etag`; its header names the client type in `aud` and the list of issuer and subject in `sub`',
      ),
  })
  .meta({ id: 'ConfigEnvelope', description: 'What a client is configured with, signed for it and its person' });
