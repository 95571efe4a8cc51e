import { parseDuration } from '@gatehouse/signed-config/duration';
import { isRawNumber, type RawNumber } from '@gatehouse/service-kit/exact-json';
import { atMostEntries } from '@gatehouse/service-kit/schema-check';
import { sizeLimit } from '@gatehouse/service-kit/sentences';
import { z } from 'zod';
import { findCertificateError, containsPrivateKey } from './ca-certificates.ts';

const MAX_URL_LENGTH = 2048;
/** Maximum length of a certificate bundle. */
const MAX_PEM_CHARACTERS = 512 * 1024;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Maximum grace period. */
const MAX_GRACE_MS = 30 * 86_400_000;

/**
 * An absolute URL for clients. It must not have credentials, since all users can read it, and no
 * fragment.
 */
const clientUrl = (protocol: RegExp) =>
  z
    .url({
      protocol,
      hostname: /./,
      error: protocol.test('http') ? 'must be an http or https URL' : 'must be an https URL',
    })
    .max(MAX_URL_LENGTH)
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && url.username === '' && url.password === '' && !text.includes('#');
    }, 'must not have credentials or a fragment');
const webUrl = () => clientUrl(/^https?$/);

const oneLine = (maximum: number) =>
  z
    .string()
    .min(1)
    .max(maximum)
    .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'must be one line of text');

const enforcement = () =>
  z
    .enum(['enforced', 'default'])
    .describe('`enforced`: the user cannot change the value; `default`: the value applies until the user changes it');

/** Detects private keys, the only kind of secret that a text shows by its form. */
const isShareable = (text: string): boolean => !containsPrivateKey(text);
const HAS_PRIVATE_KEY = 'must not contain a private key: every user who signs in can read it';

/** A directive without fields has no effect. */
const hasFields = (value: object): boolean => Object.keys(value).length > 0;
const NO_FIELDS = 'must have at least one field';

const BooleanDirective = z
  .strictObject({ value: z.boolean(), enforcement: enforcement() })
  .meta({ id: 'BooleanDirective', description: 'Turns a feature of the client on or off' });

const RegistryDirective = z
  .strictObject({
    value: z
      .strictObject({
        api_url: webUrl().optional().describe('URL of the registry of MCP servers'),
        server_api_url: webUrl().optional().describe('URL of the API of the registry server'),
        allow_private_ip: z.boolean().optional().describe('Whether the registry may have a private IP address'),
      })
      .refine(hasFields, NO_FIELDS)
      .meta({ id: 'RegistrySettings' }),
    enforcement: enforcement(),
  })
  .meta({ id: 'RegistryDirective', description: 'The registry in which clients find MCP servers' });

/** A number from 0 to 1. Its text can be kept as written. */
const fraction = () =>
  z
    .custom<number | RawNumber>((value) => typeof value === 'number' || isRawNumber(value), 'must be a number')
    .refine((value) => toNumber(value) >= 0, 'must be at least 0')
    .refine((value) => toNumber(value) <= 1, 'must be at most 1')
    .meta({ override: { type: 'number', minimum: 0, maximum: 1 } });
const toNumber = (value: number | RawNumber): number => (typeof value === 'number' ? value : Number(value.rawJSON));

const TelemetryDirective = z
  .strictObject({
    value: z
      .strictObject({
        otel_endpoint: webUrl().optional().describe('URL of the OpenTelemetry collector'),
        sampling_rate: fraction()
          .optional()
          .describe('Fraction of traces that are sampled, from 0 to 1; the text of the number is kept'),
        tracing_enabled: z.boolean().optional().describe('Whether clients send traces'),
        metrics_enabled: z.boolean().optional().describe('Whether clients send metrics'),
        insecure: z.boolean().optional().describe('Whether clients skip the check of the collector’s certificate'),
        headers: z
          .record(
            z.string().max(128).regex(HEADER_NAME, 'must be the name of an HTTP header'),
            z
              .string()
              .max(4096)
              .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
              .refine(isShareable, HAS_PRIVATE_KEY),
          )
          .check(atMostEntries(64))
          .optional()
          .describe(
            'Headers that clients send to the collector. Every user who signs in can read them; they must not contain secrets',
          ),
      })
      .refine(hasFields, NO_FIELDS)
      .meta({ id: 'TelemetrySettings' }),
    enforcement: enforcement(),
  })
  .meta({ id: 'TelemetryDirective', description: 'The collector to which clients send telemetry' });

const CaCertificateDirective = z
  .strictObject({
    value: z
      .strictObject({
        pem: z
          .string()
          .min(1)
          .refine(
            (text) => text.length <= MAX_PEM_CHARACTERS,
            sizeLimit(`must have at most ${MAX_PEM_CHARACTERS} characters`),
          )
          .superRefine((text, context) => {
            const message = findCertificateError(text);
            if (message !== undefined) context.addIssue({ code: 'custom', message });
          })
          .optional()
          .describe('CA certificates in PEM format (RFC 7468); more than 512 KiB is 413'),
        url: clientUrl(/^https$/)
          .optional()
          .describe('https URL of the CA certificates'),
      })
      .refine(hasFields, NO_FIELDS)
      .meta({ id: 'CaCertificateSettings', examples: [{ url: 'https://example.com/ca.pem' }] }),
    enforcement: enforcement(),
  })
  .meta({
    id: 'CaCertificateDirective',
    description: 'Certificate authorities that clients trust in addition to those of the machine',
  });

const GatewayDirective = z
  .strictObject({
    value: z
      .strictObject({
        api_url: webUrl().optional().describe('URL of the AI gateway'),
        proxy_url: webUrl().optional().describe('URL of the proxy in front of the AI gateway'),
      })
      .refine(hasFields, NO_FIELDS)
      .meta({ id: 'GatewaySettings' }),
    enforcement: enforcement(),
  })
  .meta({ id: 'GatewayDirective', description: 'The AI gateway that clients use for models' });

/** The behaviour of clients while a dependency of the manager is down. */
export const DegradedMode = z
  .strictObject({
    policy: z
      .enum(['warn', 'block_new'])
      .describe('`warn`: continue and show `message`; `block_new`: continue, but start nothing new'),
    grace_period: z
      .string()
      .max(32)
      .refine((text) => {
        const milliseconds = parseDuration(text);
        return milliseconds !== undefined && milliseconds <= MAX_GRACE_MS;
      }, 'must be a duration such as 24h, 1h30m or 0s, 720h at most')
      .describe('The time after the last read from the database for which the last known configuration is served')
      .meta({ examples: ['24h'] }),
    message: oneLine(500)
      .describe('Message for the user')
      .meta({ examples: ['Gatehouse is unavailable. Your client uses the last known settings.'] }),
  })
  .meta({ id: 'DegradedMode', description: 'The behaviour of clients while a dependency of the manager is down' });

/** The configuration of a client. Every directive is optional. */
export const EnterpriseConfig = z
  .strictObject({
    registry: RegistryDirective.optional(),
    non_registry_servers: BooleanDirective.optional().describe(
      'Whether users may run MCP servers that are not in the registry',
    ),
    telemetry: TelemetryDirective.optional(),
    ca_certificate: CaCertificateDirective.optional(),
    build_env: z
      .record(
        z.string().max(128).regex(VARIABLE_NAME, 'must be the name of an environment variable'),
        z
          .string()
          .max(4096)
          .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters')
          .refine(isShareable, HAS_PRIVATE_KEY),
      )
      .check(atMostEntries(128))
      .optional()
      .describe(
        'Environment variables of image builds. Every user who signs in can read them; they must not contain secrets',
      ),
    playground: BooleanDirective.optional(),
    help_menu: BooleanDirective.optional(),
    assistant: BooleanDirective.optional(),
    gateway: GatewayDirective.optional(),
    degraded_mode: DegradedMode.optional(),
  })
  .meta({ id: 'EnterpriseConfig', description: 'The directives for clients' });
export type EnterpriseConfig = z.infer<typeof EnterpriseConfig>;
