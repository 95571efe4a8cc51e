import { atMostEntries } from '@gatehouse/service-kit/schema-check';
import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { uuid } from '../../validation/text.ts';

/** Most connectors with own settings at one gateway. */
const MAX_CONNECTORS = 1_000;
const MAX_RATE = 1_000_000;
const MAX_CONCURRENCY = 100_000;
const MAX_SESSIONS = 100_000;
/** 1 GiB, more than any message that a gateway accepts. */
const MAX_BYTES = 1_073_741_824;
const MAX_PATTERNS = 64;
const MAX_HOSTS = 100;

const limit = (maximum: number) => z.int().min(1).max(maximum).nullable();

const limits = {
  calls_per_minute_per_person: limit(MAX_RATE).describe('Most tool calls of one user in a minute, over all replicas'),
  calls_per_minute_per_tool: limit(MAX_RATE).describe(
    'Most calls of one tool in a minute, by all users together and over all replicas',
  ),
  concurrent_calls_per_connector: limit(MAX_CONCURRENCY).describe(
    'Most tool calls of one connector under way at the same time on one replica',
  ),
  sessions_per_person: limit(MAX_SESSIONS).describe('Most sessions of one user, over all replicas'),
  max_argument_bytes: limit(MAX_BYTES).describe('Most bytes of the arguments of one tool call, as JSON'),
  max_result_bytes: limit(MAX_BYTES).describe('Most bytes of the result of one tool call, as JSON'),
};

const content = {
  redaction_patterns: z
    .array(line(1_000))
    .max(MAX_PATTERNS)
    .describe(
      'Regular expressions of RE2. Text that matches one is replaced by `[redacted]` in all that passes between clients and connectors',
    ),
  tool_pinning: z
    .enum(['off', 'warn', 'quarantine'])
    .describe(
      'What happens to a tool whose definition is new or has changed and that no administrator has accepted: `warn` records it, `quarantine` also withholds the tool',
    ),
  elicitation_hosts: z
    .array(line(255))
    .max(MAX_HOSTS)
    .describe(
      'Hosts that URLs of elicitation may have: a name, or `*.` and a domain for the hosts below it, each with an optional port. Without entries all hosts are allowed',
    ),
};

const GatewayLimits = z
  .strictObject(limits)
  .meta({ id: 'GatewayLimits', description: 'The limits of a gateway; null is unlimited' });
export type GatewayLimits = z.infer<typeof GatewayLimits>;

const GatewayContentControls = z
  .strictObject(content)
  .meta({ id: 'GatewayContentControls', description: 'The controls of the content of tool calls' });
export type GatewayContentControls = z.infer<typeof GatewayContentControls>;

const GatewaySettingsOfConnector = z
  .strictObject({
    limits: z
      .strictObject(limits)
      .partial()
      .meta({
        id: 'ConnectorLimits',
        description:
          'The limits of one connector. A present limit replaces that of the gateway, and its calls count separately; null is unlimited',
      })
      .optional(),
    content: z
      .strictObject(content)
      .partial()
      .meta({ id: 'ConnectorContentControls', description: 'The controls of the content of one connector' })
      .optional(),
  })
  .meta({
    id: 'ConnectorSettings',
    description:
      'Settings that replace those of the gateway for one connector; redaction patterns are added to them. An absent setting is the gateway’s',
  });
export type GatewaySettingsOfConnector = z.infer<typeof GatewaySettingsOfConnector>;

/** The settings of a connector gateway: for all connectors, and exceptions for single ones. */
export const ConnectorGatewaySettings = z
  .strictObject({
    limits: GatewayLimits,
    content: GatewayContentControls,
    connectors: z
      .record(uuid(), GatewaySettingsOfConnector)
      .check(atMostEntries(MAX_CONNECTORS))
      .describe('Settings of single connectors, by the id of the connector'),
  })
  .meta({ id: 'ConnectorGatewaySettings', description: 'The settings of a connector gateway' });
export type ConnectorGatewaySettings = z.infer<typeof ConnectorGatewaySettings>;
