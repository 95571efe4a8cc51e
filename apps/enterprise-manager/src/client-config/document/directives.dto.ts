import { parseDuration } from '@gatehouse/signed-config/duration';
import { isRawNumber, type RawNumber } from '@gatehouse/service-kit/exact-json';
import { atMostEntries } from '@gatehouse/service-kit/schema-check';
import { sizeLimit } from '@gatehouse/service-kit/sentences';
import { z } from 'zod';
import { certificateFault, holdsPrivateKey } from './ca-certificates.ts';

const URL_LENGTH = 2048;
/** Longest bundle of certificates, in characters. */
const MAX_PEM = 512 * 1024;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** The longest that clients may be left without the directory. */
const LONGEST_GRACE_MS = 30 * 86_400_000;

/**
 * An absolute URL that clients are sent to: no credentials, since everybody in the company reads
 * them, and no fragment.
 */
const clientUrl = (protocol: RegExp) =>
  z
    .url({
      protocol,
      hostname: /./,
      error: protocol.test('http') ? 'must be an http or https URL' : 'must be an https URL',
    })
    .max(URL_LENGTH)
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
    .describe('`enforced`: the person cannot change it; `default`: it holds until the person chooses otherwise');

/** The one kind of secret that is known by its face, on one line with its breaks escaped. */
const isShareable = (text: string): boolean => !holdsPrivateKey(text);
const NOT_SHAREABLE = 'must not hold a private key: everybody who signs in can read it';

/** At least one field, else a directive would say nothing. */
const something = (value: object): boolean => Object.keys(value).length > 0;
const SOMETHING = 'must have at least one field';

const BooleanDirective = z
  .strictObject({ value: z.boolean(), enforcement: enforcement() })
  .meta({ id: 'BooleanDirective', description: 'A switch of the client' });

const RegistryDirective = z
  .strictObject({
    value: z
      .strictObject({
        api_url: webUrl().optional().describe('Registry of MCP servers'),
        server_api_url: webUrl().optional().describe('API of the registry server'),
        allow_private_ip: z.boolean().optional().describe('Whether its address may be a private one'),
      })
      .refine(something, SOMETHING)
      .meta({ id: 'RegistrySettings' }),
    enforcement: enforcement(),
  })
  .meta({ id: 'RegistryDirective', description: 'Where clients find MCP servers' });

/** A number from 0 to 1 that may keep its text. */
const share = () =>
  z
    .custom<number | RawNumber>((value) => typeof value === 'number' || isRawNumber(value), 'must be a number')
    .refine((value) => numberOf(value) >= 0, 'must be at least 0')
    .refine((value) => numberOf(value) <= 1, 'must be at most 1')
    .meta({ override: { type: 'number', minimum: 0, maximum: 1 } });
const numberOf = (value: number | RawNumber): number => (typeof value === 'number' ? value : Number(value.rawJSON));

const TelemetryDirective = z
  .strictObject({
    value: z
      .strictObject({
        otel_endpoint: webUrl().optional().describe('OpenTelemetry collector'),
        sampling_rate: share()
          .optional()
          .describe('Share of traces that are kept, from 0 to 1; it keeps the text of the number'),
        tracing_enabled: z.boolean().optional(),
        metrics_enabled: z.boolean().optional(),
        insecure: z.boolean().optional().describe('Whether the collector’s certificate is not checked'),
        headers: z
          .record(
            z.string().max(128).regex(HEADER_NAME, 'must be the name of an HTTP header'),
            z
              .string()
              .max(4096)
              .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
              .refine(isShareable, NOT_SHAREABLE),
          )
          .check(atMostEntries(64))
          .optional()
          .describe('Sent along with telemetry. Everybody who signs in can read them: no secrets'),
      })
      .refine(something, SOMETHING)
      .meta({ id: 'TelemetrySettings' }),
    enforcement: enforcement(),
  })
  .meta({ id: 'TelemetryDirective', description: 'Where clients report to' });

const CaCertificateDirective = z
  .strictObject({
    value: z
      .strictObject({
        pem: z
          .string()
          .min(1)
          .refine((text) => text.length <= MAX_PEM, sizeLimit(`must have at most ${MAX_PEM} characters`))
          .superRefine((text, context) => {
            const message = certificateFault(text);
            if (message !== undefined) context.addIssue({ code: 'custom', message });
          })
          .optional()
          .describe('CA certificates, PEM (RFC 7468); at most 512 KiB, else 413'),
        url: clientUrl(/^https$/)
          .optional()
          .describe('Where they are to be had'),
      })
      .refine(something, SOMETHING)
      .meta({ id: 'CaCertificateSettings', examples: [{ url: 'https://example.com/ca.pem' }] }),
    enforcement: enforcement(),
  })
  .meta({ id: 'CaCertificateDirective', description: 'Authorities that clients trust besides those of the machine' });

const GatewayDirective = z
  .strictObject({
    value: z
      .strictObject({
        api_url: webUrl().optional().describe('The AI gateway'),
        proxy_url: webUrl().optional().describe('Proxy on the way to it'),
      })
      .refine(something, SOMETHING)
      .meta({ id: 'GatewaySettings' }),
    enforcement: enforcement(),
  })
  .meta({ id: 'GatewayDirective', description: 'The door to models' });

/** What clients do while they cannot be told anything new. */
export const DegradedMode = z
  .strictObject({
    policy: z.enum(['warn', 'block_new']).describe('`warn`: go on and say so; `block_new`: start nothing new'),
    grace_period: z
      .string()
      .max(32)
      .refine((text) => {
        const milliseconds = parseDuration(text);
        return milliseconds !== undefined && milliseconds <= LONGEST_GRACE_MS;
      }, 'must be a duration such as 24h, 1h30m or 0s, 720h at most')
      .describe('How long the last known configuration is served after the database was last seen')
      .meta({ examples: ['24h'] }),
    message: oneLine(500)
      .describe('What the person is told')
      .meta({ examples: ['Gatehouse cannot be reached; your settings are those of the last time that it was.'] }),
  })
  .meta({ id: 'DegradedMode', description: 'What happens while a dependency of the manager is down' });

/** What a client is configured with; every directive may be absent. */
export const EnterpriseConfig = z
  .strictObject({
    registry: RegistryDirective.optional(),
    non_registry_servers: BooleanDirective.optional().describe('Whether MCP servers from elsewhere may be run'),
    telemetry: TelemetryDirective.optional(),
    ca_certificate: CaCertificateDirective.optional(),
    build_env: z
      .record(
        z.string().max(128).regex(VARIABLE_NAME, 'must be the name of an environment variable'),
        z
          .string()
          .max(4096)
          .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters')
          .refine(isShareable, NOT_SHAREABLE),
      )
      .check(atMostEntries(128))
      .optional()
      .describe('Environment variables of image builds. Everybody who signs in can read them: no secrets'),
    playground: BooleanDirective.optional(),
    help_menu: BooleanDirective.optional(),
    assistant: BooleanDirective.optional(),
    gateway: GatewayDirective.optional(),
    degraded_mode: DegradedMode.optional(),
  })
  .meta({ id: 'EnterpriseConfig', description: 'The directives of clients' });
export type EnterpriseConfig = z.infer<typeof EnterpriseConfig>;
