import { fileURLToPath } from 'node:url';
import type { Issuer } from './further-issuers.ts';
import type { HomePaths } from './home.ts';
import { AI_GATEWAY_ID, AI_GATEWAY_RESOURCE, AUDIENCE, GATEWAY_ID, createUrls } from './platform-file.ts';
import type { Ports } from './ports.ts';
import { DEMO_PRICES } from './demo-prices.ts';
import { secretFiles, type SecretFiles } from './secret-files.ts';

/** A process of the platform. */
export type ServiceName =
  | 'postgres'
  | 'identity-provider'
  | 'enterprise-manager'
  | 'connector-gateway'
  | 'ai-gateway-mgmt'
  | 'ai-gateway'
  | 'console'
  | 'demo-provider';

/** How the supervisor runs one process of the platform. */
export interface ServicePlan {
  readonly name: ServiceName;
  /** Services that must have been ready once before this one starts. */
  readonly after: readonly ServiceName[];
  /** Services stop in ascending order of this number, those with the same number together. */
  readonly stopRank: number;
  /** The Node program; absent for Postgres. */
  readonly program?: ServiceProgram;
}

/** A Node program of the platform. */
export interface ServiceProgram {
  /** Absolute path of the program. */
  readonly main: string;
  /** Answers 200 when the service is ready. */
  readonly readyUrl: string;
  readonly env: Readonly<Record<string, string>>;
  /** Saves memory at the cost of speed: the program serves one user, a few requests at a time. */
  readonly small?: true;
}

/** The inputs of the plans. */
export interface PlatformContext {
  paths: HomePaths;
  ports: Ports;
  /** Process id of the supervisor. */
  pid: number;
  /** Environment variables of the supervisor that every program receives. */
  inherited: Readonly<Record<string, string>>;
  /** Token issuers besides the platform's own. */
  furtherIssuers: readonly Issuer[];
  /** Whether a demonstration runs: the demo provider, and prices of its models. */
  demo: boolean;
  /** The managed secrets that the AI gateway may reveal. */
  managedSecretIds: readonly string[];
}

/** Namespace of the AIGateway and the AIPolicies without GATEHOUSE_NAMESPACE. */
const DEFAULT_NAMESPACE = 'gatehouse';

type Environment = Record<string, string>;

/**
 * Returns the absolute path of a file below apps/; the same from the built program and its source.
 */
export const appPath = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Plans every process of the platform and its environment. A pure function of the context. */
export function planServices(context: PlatformContext): ServicePlan[] {
  const planner = new ServicePlanner(context);
  return [
    { name: 'postgres', after: [], stopRank: 4 },
    planner.identityProvider(),
    planner.enterpriseManager(),
    planner.connectorGateway(),
    planner.aiGatewayMgmt(),
    planner.aiGateway(),
    planner.console(),
    ...(context.demo ? [planner.demoProvider()] : []),
  ];
}

/** Plans the program that creates missing resources before the services start. */
export const planResourceProgram = (context: PlatformContext): Pick<ServiceProgram, 'main' | 'env'> =>
  new ServicePlanner(context).resources();

/** Plans the services; one method for each. */
class ServicePlanner {
  readonly #context: PlatformContext;
  readonly #urls: ReturnType<typeof createUrls>;
  readonly #files: SecretFiles;

  constructor(context: PlatformContext) {
    this.#context = context;
    this.#urls = createUrls(context.ports);
    this.#files = secretFiles(context.paths);
  }

  identityProvider(): ServicePlan {
    const urls = this.#urls;
    const resources = [
      urls.enterprise_manager,
      urls.connector_gateway,
      `${urls.connector_gateway}/mcp`,
      urls.connector_gateway_control,
      urls.ai_gateway_mgmt,
      urls.ai_gateway,
    ];
    return {
      name: 'identity-provider',
      after: [],
      stopRank: 3,
      program: {
        main: appPath('local-platform/dist/identity-provider/main.js'),
        readyUrl: readyUrl(urls.identity_provider),
        env: this.#programEnvironment({
          HOST: '127.0.0.1',
          PORT: String(this.#context.ports.identity_provider),
          AUDIENCE,
          CONSOLE_URL: urls.console,
          RESOURCES: resources.join(' '),
        }),
        small: true,
      },
    };
  }

  enterpriseManager(): ServicePlan {
    return {
      name: 'enterprise-manager',
      after: ['postgres'],
      stopRank: 2,
      program: {
        main: appPath('enterprise-manager/dist/bundle/main.js'),
        readyUrl: readyUrl(this.#urls.enterprise_manager),
        env: this.#serviceEnvironment('enterprise_manager', {
          ...this.#databaseEnvironment('enterprise-manager'),
          METRICS_PORT: String(this.#context.ports.enterprise_manager_metrics),
          GATEWAYS: describeGateways(this.#urls.identity_provider, this.#context.managedSecretIds),
          SEED_USERS_FILE: this.#files.seedUsers,
          KEY_ENCRYPTION_KEYS_FILE: this.#files.keyEncryptionKeys('enterprise-manager'),
          CLIENT_ID: 'gatehouse-cli',
          ALLOW_LOOPBACK_UPSTREAMS: 'true',
          SPEND_EXPORT_ENABLED: 'true',
          ...(this.#context.demo && { ADDITIONAL_PRICES: JSON.stringify(DEMO_PRICES) }),
        }),
      },
    };
  }

  connectorGateway(): ServicePlan {
    return {
      name: 'connector-gateway',
      after: ['postgres'],
      stopRank: 1,
      program: {
        main: appPath('connector-gateway/dist/bundle/main.js'),
        readyUrl: readyUrl(this.#urls.connector_gateway_control),
        env: this.#serviceEnvironment('connector_gateway', {
          ...this.#databaseEnvironment('connector-gateway'),
          CONTROL_PORT: String(this.#context.ports.connector_gateway_control),
          METRICS_PORT: String(this.#context.ports.connector_gateway_metrics),
          KEY_ENCRYPTION_KEYS_FILE: this.#files.keyEncryptionKeys('connector-gateway'),
          GATEWAY_ID,
          ...this.#enterpriseManagerClient('connector-gateway'),
          SIGN_IN_CLIENTS: JSON.stringify([{ issuer: 'local', client_id: 'gatehouse-connector-gateway' }]),
          ALLOW_LOOPBACK_UPSTREAMS: 'true',
        }),
      },
    };
  }

  aiGatewayMgmt(): ServicePlan {
    return {
      name: 'ai-gateway-mgmt',
      after: [],
      stopRank: 1,
      program: {
        main: appPath('ai-gateway-mgmt/dist/bundle/main.js'),
        readyUrl: readyUrl(this.#urls.ai_gateway_mgmt),
        env: this.#serviceEnvironment('ai_gateway_mgmt', {
          METRICS_PORT: String(this.#context.ports.ai_gateway_mgmt_metrics),
          CURSOR_KEY_FILE: this.#files.cursorKey('ai-gateway-mgmt'),
          ...this.#resourceEnvironment(),
          ...this.#enterpriseManagerClient('ai-gateway-mgmt'),
        }),
      },
    };
  }

  aiGateway(): ServicePlan {
    return {
      name: 'ai-gateway',
      after: [],
      stopRank: 1,
      program: {
        main: appPath('ai-gateway/dist/bundle/main.js'),
        readyUrl: readyUrl(this.#urls.ai_gateway),
        env: this.#serviceEnvironment('ai_gateway', {
          METRICS_PORT: String(this.#context.ports.ai_gateway_metrics),
          ...this.#resourceEnvironment(),
          ...this.#enterpriseManagerClient('ai-gateway'),
          GATEWAY_ID: AI_GATEWAY_ID,
          USAGE_FOLDER: this.#context.paths.usage,
          ALLOW_LOOPBACK_PROVIDERS: 'true',
        }),
      },
    };
  }

  console(): ServicePlan {
    const urls = this.#urls;
    return {
      name: 'console',
      after: [],
      stopRank: 0,
      program: {
        main: appPath('console/dist/main.js'),
        readyUrl: readyUrl(urls.console),
        env: this.#programEnvironment({
          HOST: '127.0.0.1',
          PORT: String(this.#context.ports.console),
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
    };
  }

  demoProvider(): ServicePlan {
    const port = this.#context.ports.demo_provider;
    return {
      name: 'demo-provider',
      after: [],
      stopRank: 2,
      program: {
        main: appPath('local-platform/dist/demo-provider/main.js'),
        readyUrl: readyUrl(createDemoProviderUrl(this.#context.ports)),
        env: this.#programEnvironment({ PORT: String(port) }),
        small: true,
      },
    };
  }

  resources(): Pick<ServiceProgram, 'main' | 'env'> {
    return {
      main: appPath('local-platform/dist/resources/main.js'),
      env: this.#programEnvironment({
        ...this.#resourceEnvironment(),
        ISSUER: this.#urls.identity_provider,
        DEMO_PROVIDER_URL: createDemoProviderUrl(this.#context.ports),
        DEMO: String(this.#context.demo),
      }),
    };
  }

  /** The variables of every program. */
  #programEnvironment(extra: Environment): Environment {
    return {
      ...this.#context.inherited,
      GATEHOUSE_HOME: this.#context.paths.home,
      GATEHOUSE_PLATFORM_PID: String(this.#context.pid),
      EXIT_WITH_PARENT: 'true',
      ...extra,
    };
  }

  /** The variables of every program that verifies tokens. */
  #serviceEnvironment(name: keyof ReturnType<typeof createUrls> & keyof Ports, extra: Environment): Environment {
    return this.#programEnvironment({
      HOST: '127.0.0.1',
      PORT: String(this.#context.ports[name]),
      PUBLIC_URL: this.#urls[name],
      ENVIRONMENT: 'local',
      AUDIENCE,
      ISSUERS: JSON.stringify([localIssuer(this.#urls.identity_provider), ...this.#context.furtherIssuers]),
      REFERENCE_CLIENT_ID: 'gatehouse-reference',
      ...extra,
    });
  }

  /** Where the AIGateway and the AIPolicies are: in a cluster, or in files of the home. */
  #resourceEnvironment(): Environment {
    const { GATEHOUSE_KUBECONFIG: kubeconfig, GATEHOUSE_NAMESPACE: namespace } = this.#context.inherited;
    return {
      GATEWAY_NAME: AI_GATEWAY_RESOURCE,
      NAMESPACE: namespace ?? DEFAULT_NAMESPACE,
      ...(kubeconfig === undefined && { RESOURCES_FOLDER: this.#context.paths.resources }),
    };
  }

  #databaseEnvironment(service: string): Environment {
    return {
      CURSOR_KEY_FILE: this.#files.cursorKey(service),
      DATABASE_URL_FILE: this.#files.databaseUrl(service),
      DATABASE_OWNER_URL_FILE: this.#files.databaseOwnerUrl(service),
    };
  }

  /** The address of the enterprise manager and the credentials with which a service calls it. */
  #enterpriseManagerClient(client: string): Environment {
    return {
      ENTERPRISE_MANAGER_URL: this.#urls.enterprise_manager,
      TOKEN_URL: `${this.#urls.identity_provider}/token`,
      CLIENT_ID: client,
      CLIENT_SECRET_FILE: this.#files.clientSecret(client),
    };
  }
}

const createDemoProviderUrl = ({ demo_provider: port }: Ports): string => `http://127.0.0.1:${port}`;
const readyUrl = (url: string): string => `${url}/readyz`;

/** Returns the value of GATEWAYS: each gateway of the platform with its service client. */
function describeGateways(issuer: string, secrets: readonly string[]): string {
  const clientIds = (client_id: string) => [{ issuer, client_id }];
  return JSON.stringify([
    { id: GATEWAY_ID, display_name: 'Local', kind: 'connector', client_ids: clientIds('connector-gateway') },
    { id: AI_GATEWAY_ID, display_name: 'Local models', kind: 'ai', client_ids: clientIds('ai-gateway'), secrets },
    {
      id: 'ai-gateway-mgmt',
      display_name: 'Local management',
      kind: 'management',
      client_ids: clientIds('ai-gateway-mgmt'),
    },
  ]);
}

/**
 * Returns the platform's own issuer. It is the first one: its users are identified by their
 * subject, without the id of the issuer.
 */
export function localIssuer(issuer: string): Issuer {
  const roles = { claim: 'roles', values: { admin: ['admin'], auditor: ['auditor'], gateway: ['gateway'] } };
  return { id: 'local', issuer, jwks_uri: `${issuer}/jwks`, access_token_type: 'at+jwt', roles };
}
