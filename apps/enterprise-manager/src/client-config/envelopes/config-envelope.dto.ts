import { z } from 'zod';
import { DegradedMode, EnterpriseConfig } from '../document/directives.dto.ts';

/** Semantic Versioning 2.0.0. */
const SEMVER =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

/** The headers with which a client identifies itself. */
export const ConfigRequestHeaders = z.object({
  'X-Client-Type': z
    .enum(['gatehouse-desktop', 'gatehouse-cli', 'gatehouse-cloud-ui'])
    .describe('The type of the client; other types cannot use the envelope'),
  'X-Client-Version': z
    .string()
    .max(128)
    .regex(SEMVER, 'must be a version such as 1.2.3 (Semantic Versioning 2.0.0)')
    .describe('The version of the client (Semantic Versioning 2.0.0)'),
  'If-Modified-Since': z
    .string()
    .optional()
    .describe('`Last-Modified` of the envelope that the client has; send it together with `If-None-Match`'),
});
export type ConfigRequestHeaders = z.infer<typeof ConfigRequestHeaders>;
export type ClientType = ConfigRequestHeaders['X-Client-Type'];

/** A degraded mode and whether it is in force. */
const DegradedModeState = z
  .object({
    ...DegradedMode.shape,
    in_force: z
      .boolean()
      .describe('True while the database is unavailable and `config` is the last known configuration; otherwise false'),
  })
  .meta({
    id: 'DegradedModeState',
    description: 'The behaviour of clients while a dependency of the manager is down, and whether one is down now',
  });

/** The configuration of the caller for one type of client, signed. */
export const ConfigEnvelope = z
  .object({
    schema_version: z.string().describe('The version of the envelope’s format: `1`'),
    config: EnterpriseConfig,
    degraded_mode: DegradedModeState.optional().describe(
      'Present if `config` has a degraded mode, and while the database is unavailable; see `in_force`',
    ),
    issued_at: z.iso
      .datetime()
      .describe(
        'The time of issue. It increases with every change; clients refuse older envelopes than the one they have',
      ),
    not_after: z.iso.datetime().describe('The expiry: from this time on the envelope must not be used'),
    refresh_interval: z.string().describe('The time until the next request of the client, for example `5m`'),
    etag: z.string().describe('`sha256:` and the digest of the canonical `config` and `degraded_mode` (RFC 8785)'),
    signature: z
      .string()
      .describe(
        'Detached JWS (RFC 7515, RFC 7797, ES256) over the canonical envelope without `signature` and `etag`; its header names the client type in `aud` and the list of issuer and subject in `sub`',
      ),
  })
  .meta({ id: 'ConfigEnvelope', description: 'The configuration of a client, signed for its type and its user' });
