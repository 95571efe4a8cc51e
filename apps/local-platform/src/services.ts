import { fileURLToPath } from 'node:url';
import type { Issuer } from './further-issuers.ts';
import type { HomePaths } from './home.ts';
import { AI_GATEWAY_ID, AUDIENCE, GATEWAY_ID, urlsOf } from './platform-file.ts';
import type { Ports } from './ports.ts';
import { secretFiles } from './secret-files.ts';

/** A process of the platform. */
export type ServiceName =
  | 'postgres'
  | 'identity-provider'
  | 'enterprise-manager'
  | 'connector-gateway'
  | 'ai-gateway-mgmt'
  | 'ai-gateway'
  | 'console';

/** How the supervisor runs one part of the platform. */
export interface ServicePlan {
  readonly name: ServiceName;
  /** Services that must have been ready once before this one starts. */
  readonly after: readonly ServiceName[];
  /** Services stop in ascending order of this number, those with the same number together. */
  readonly stopRank: number;
  /** The Node program of a service; Postgres is none. */
  readonly program?: ServiceProgram;
}

/** A service of ours as a process. */
export interface ServiceProgram {
  /** Absolute path of the program. */
  readonly main: string;
  /** Answers 200 when the service is ready. */
  readonly readyUrl: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether memory matters more than speed: it serves one person, a few requests at a time. */
  readonly small?: true;
}

/** What the plans depend on. */
export interface Surroundings {
  paths: HomePaths;
  ports: Ports;
  /** Process id of the supervisor. */
  pid: number;
  inherited: Readonly<Record<string, string>>;
  /** Token issuers besides the platform's own. */
  furtherIssuers: readonly Issuer[];
}

/** Absolute path of a file below apps/, from the built program as from its source. */
export const app = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * Every process of the platform and the environment it is started with: a pure function of the
 * surroundings.
 */
export function planServices(surroundings: Surroundings): ServicePlan[] {
  const { paths, ports } = surroundings;
  const files = secretFiles(paths);
  const urls = urlsOf(ports);
  const base = (extra: Record<string, string>): Record<string, string> => ({
    ...surroundings.inherited,
    GATEHOUSE_HOME: paths.home,
    GATEHOUSE_PLATFORM_PID: String(surroundings.pid),
    EXIT_WITH_PARENT: 'true',
    ...extra,
  });
  const service = (name: keyof typeof urls & keyof Ports, extra: Record<string, string>): Record<string, string> =>
    base({
      HOST: '127.0.0.1',
      PORT: String(ports[name]),
      PUBLIC_URL: urls[name],
      ENVIRONMENT: 'local',
      AUDIENCE,
      ISSUERS: JSON.stringify([localIssuer(urls.identity_provider), ...surroundings.furtherIssuers]),
      REFERENCE_CLIENT_ID: 'gatehouse-reference',
      ...extra,
    });
  const database = (name: string): Record<string, string> => ({
    CURSOR_KEY_FILE: files.cursorKey(name),
    DATABASE_URL_FILE: files.databaseUrl(name),
    DATABASE_OWNER_URL_FILE: files.databaseOwnerUrl(name),
  });
  /** By what a service learns from the enterprise manager who was deactivated. */
  const people = (client: string): Record<string, string> => ({
    ENTERPRISE_MANAGER_URL: urls.enterprise_manager,
    TOKEN_URL: `${urls.identity_provider}/token`,
    CLIENT_ID: client,
    CLIENT_SECRET_FILE: files.clientSecret(client),
  });
  const ready = (url: string): string => `${url}/readyz`;

  return [
    {
      name: 'postgres',
      after: [],
      stopRank: 4,
    },
    {
      name: 'identity-provider',
      after: [],
      stopRank: 3,
      program: {
        main: app('local-platform/dist/identity-provider/main.js'),
        readyUrl: ready(urls.identity_provider),
        env: base({
          HOST: '127.0.0.1',
          PORT: String(ports.identity_provider),
          AUDIENCE,
          CONSOLE_URL: urls.console,
          RESOURCES: [
            urls.enterprise_manager,
            urls.connector_gateway,
            `${urls.connector_gateway}/mcp`,
            urls.connector_gateway_control,
            urls.ai_gateway_mgmt,
            urls.ai_gateway,
          ].join(' '),
        }),
        small: true,
      },
    },
    {
      name: 'enterprise-manager',
      after: ['postgres'],
      stopRank: 2,
      program: {
        main: app('enterprise-manager/dist/main.js'),
        readyUrl: ready(urls.enterprise_manager),
        env: service('enterprise_manager', {
          ...database('enterprise-manager'),
          METRICS_PORT: String(ports.enterprise_manager_metrics),
          GATEWAYS: gateways(urls.identity_provider),
          SEED_USERS_FILE: files.seedUsers,
          KEY_ENCRYPTION_KEYS_FILE: files.keyEncryptionKeys,
          CLIENT_ID: 'gatehouse-cli',
          ALLOW_LOOPBACK_UPSTREAMS: 'true',
          SPEND_EXPORT_ENABLED: 'true',
        }),
      },
    },
    {
      name: 'connector-gateway',
      after: ['postgres'],
      stopRank: 1,
      program: {
        main: app('connector-gateway/dist/main.js'),
        readyUrl: ready(urls.connector_gateway_control),
        env: service('connector_gateway', {
          ...database('connector-gateway'),
          CONTROL_PORT: String(ports.connector_gateway_control),
          METRICS_PORT: String(ports.connector_gateway_metrics),
          GATEWAY_ID,
          ENTERPRISE_MANAGER_URL: urls.enterprise_manager,
          TOKEN_URL: `${urls.identity_provider}/token`,
          CLIENT_ID: 'connector-gateway',
          CLIENT_SECRET_FILE: files.clientSecret('connector-gateway'),
          ALLOW_LOOPBACK_UPSTREAMS: 'true',
        }),
      },
    },
    {
      name: 'ai-gateway-mgmt',
      after: [],
      stopRank: 1,
      program: {
        main: app('ai-gateway-mgmt/dist/main.js'),
        readyUrl: ready(urls.ai_gateway_mgmt),
        env: service('ai_gateway_mgmt', {
          METRICS_PORT: String(ports.ai_gateway_mgmt_metrics),
          NAMESPACE: 'gatehouse',
          GATEWAY_NAME: GATEWAY_ID,
          ...people('ai-gateway-mgmt'),
        }),
      },
    },
    {
      name: 'ai-gateway',
      after: [],
      stopRank: 1,
      program: {
        main: app('ai-gateway/dist/main.js'),
        readyUrl: ready(urls.ai_gateway),
        env: service('ai_gateway', {
          METRICS_PORT: String(ports.ai_gateway_metrics),
          GATEWAY_FILE: files.gateway,
          ...people('ai-gateway'),
        }),
      },
    },
    {
      name: 'console',
      after: [],
      stopRank: 0,
      program: {
        main: app('console/dist/main.js'),
        readyUrl: ready(urls.console),
        env: base({
          HOST: '127.0.0.1',
          PORT: String(ports.console),
          PUBLIC_URL: urls.console,
          ISSUER: urls.identity_provider,
          CLIENT_ID: 'gatehouse-console',
          ENTERPRISE_MANAGER_URL: urls.enterprise_manager,
          CONNECTOR_GATEWAY_URL: urls.connector_gateway_control,
          AI_GATEWAY_MGMT_URL: urls.ai_gateway_mgmt,
          AI_GATEWAY_URL: urls.ai_gateway,
          IDENTITY_PROVIDER_URL: urls.identity_provider,
        }),
        small: true,
      },
    },
  ];
}

/** The gateways of the platform, each with the service client that acts for it. */
function gateways(issuer: string): string {
  const of = (client_id: string) => [{ issuer, client_id }];
  return JSON.stringify([
    { id: GATEWAY_ID, display_name: 'Local', kind: 'connector', client_ids: of('connector-gateway') },
    { id: AI_GATEWAY_ID, display_name: 'Local models', kind: 'ai', client_ids: of('ai-gateway') },
    { id: 'ai-gateway-mgmt', display_name: 'Local management', kind: 'management', client_ids: of('ai-gateway-mgmt') },
  ]);
}

/** The platform's own issuer. It comes first: its users are named by their subject alone. */
export function localIssuer(issuer: string): Issuer {
  const roles = { claim: 'roles', values: { admin: ['admin'], auditor: ['auditor'], gateway: ['gateway'] } };
  return { id: 'local', issuer, jwks_uri: `${issuer}/jwks`, access_token_type: 'at+jwt', roles };
}
