import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Machine } from '@gatehouse/mcp-clients/clients/client-paths';
import type { EngineEnvironment } from '@gatehouse/workloads/engine/engine-address';
import { listKubeconfigs } from '@gatehouse/workloads/flags/cluster-address';
import { getDefaultHomeFolder } from '@gatehouse/workloads/state/home';

/** The settings of the CLI from the environment. */
export interface CliConfig {
  /**
   * Folder of the state: GATEHOUSE_HOME, else `.gatehouse` of the checkout that contains the CLI,
   * else the XDG state folder.
   */
  readonly home: string;
  /** The XDG state folder of Gatehouse. Containers of this home have no suffix in their names. */
  readonly defaultHome: string;
  /** The checkout that contains the CLI; undefined for an installed package. */
  readonly repository: string | undefined;
  readonly engine: EngineEnvironment;
  /** GATEHOUSE_NETWORK_RANGE: the range that contains the subnets of workloads. */
  readonly networkRange: string | undefined;
  /** GATEHOUSE_EGRESS_NAMESERVER: the nameserver that resolves names for isolated workloads. */
  readonly egressNameserver: string | undefined;
  /** The ignore file of the user: `gatehouse/gatehouseignore` of the XDG configuration folder. */
  readonly globalIgnoreFile: string;
  /** Absolute paths of the kubeconfig files: KUBECONFIG, else `~/.kube/config`. */
  readonly kubeconfigs: readonly string[];
  /** The variables of a proxy, such as HTTPS_PROXY, for builds. */
  readonly proxyVariables: Readonly<Record<string, string>>;
}

/** The repository that contains this CLI; undefined for an installed package. */
function checkout(root: string): string | undefined {
  const own = root.replace(/\/$/, '');
  const folder = dirname(dirname(own));
  // An installed package can be in the repository of a user.
  return own === join(folder, 'apps', 'cli') && existsSync(join(folder, 'nx.json')) ? folder : undefined;
}

/**
 * Reads the settings from the environment.
 * @param root folder of the installed command line
 */
export function loadCliConfig(root: string, env: NodeJS.ProcessEnv = process.env): CliConfig {
  const defaultHome = getDefaultHomeFolder(env['XDG_STATE_HOME']);
  const repository = checkout(root);
  const dockerConfig = env['DOCKER_CONFIG'] || join(homedir(), '.docker');
  return {
    home: resolve(env['GATEHOUSE_HOME'] || (repository === undefined ? defaultHome : join(repository, '.gatehouse'))),
    defaultHome,
    repository,
    engine: {
      dockerHost: env['DOCKER_HOST'],
      dockerContext: env['DOCKER_CONTEXT'],
      dockerConfig,
      tlsFolder: env['DOCKER_TLS_VERIFY'] ? env['DOCKER_CERT_PATH'] || dockerConfig : undefined,
      runtimeFolder: env['XDG_RUNTIME_DIR'],
      registryAuthFile: env['REGISTRY_AUTH_FILE'],
      processEnvironment: env,
    },
    networkRange: env['GATEHOUSE_NETWORK_RANGE'],
    egressNameserver: env['GATEHOUSE_EGRESS_NAMESERVER'],
    globalIgnoreFile: join(getConfigFolder(env['XDG_CONFIG_HOME']), 'gatehouse', 'gatehouseignore'),
    kubeconfigs: listKubeconfigs(env['KUBECONFIG'], join(homedir(), '.kube', 'config'), delimiter),
    proxyVariables: readProxyVariables(env),
  };
}

/** A relative folder is invalid by the XDG specification, and ignored. */
const getConfigFolder = (xdgConfigHome: string | undefined): string =>
  xdgConfigHome?.startsWith('/') === true ? xdgConfigHome : join(homedir(), '.config');

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

const readProxyVariables = (env: NodeJS.ProcessEnv): Record<string, string> => readVariables(PROXY_VARIABLES, env);

/** The variables of a list that the environment has, and that are not empty. */
export const readVariables = (names: readonly string[], env = process.env): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

/** The environment of the platform that `up` starts: it reads its own settings. */
export const loadPlatformEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({ ...env });

/** The machine and the variables that decide where MCP clients have their files. */
export function readMachine(env: NodeJS.ProcessEnv = process.env): Machine {
  return { platform: process.platform, home: homedir(), variables: env };
}

/** The settings from the environment for the enterprise manager and for signing in. */
export interface ManagerEnvironment {
  /** GATEHOUSE_URL: address of the enterprise manager. */
  readonly url: string | undefined;
  /** GATEHOUSE_CONNECTOR_GATEWAY_URL: address of the control plane of the connector gateway. */
  readonly connectorGatewayUrl: string | undefined;
  /** GATEHOUSE_AI_GATEWAY_MGMT_URL: address of AI gateway management. */
  readonly aiGatewayMgmtUrl: string | undefined;
  /** GATEHOUSE_AI_GATEWAY_URL: address of the AI gateway, for the clients of models. */
  readonly aiGatewayUrl: string | undefined;
  /** GATEHOUSE_TOKEN: an access token for automation, used instead of a session. */
  readonly token: string | undefined;
  /** GATEHOUSE_TOKEN_FILE: a file with such a token. */
  readonly tokenFile: string | undefined;
  /**
   * GATEHOUSE_SESSION_STORE: the storage of sessions. Default: the keyring where one is available.
   */
  readonly sessionStore: string | undefined;
  /**
   * Whether a browser on this machine can show a page to the user: on a desktop, and not through
   * SSH.
   */
  readonly graphical: boolean;
  /** BROWSER: a program that opens an address in a browser. */
  readonly browser: string | undefined;
}

/** Reads the settings for commands that call the enterprise manager. */
export function managerEnvironment(env: NodeJS.ProcessEnv = process.env): ManagerEnvironment {
  const remote = Boolean(env['SSH_CONNECTION'] || env['SSH_TTY']);
  const desktop = process.platform === 'darwin' || process.platform === 'win32';
  const browser = env['BROWSER'] || undefined;
  return {
    url: env['GATEHOUSE_URL'] || undefined,
    connectorGatewayUrl: env['GATEHOUSE_CONNECTOR_GATEWAY_URL'] || undefined,
    aiGatewayMgmtUrl: env['GATEHOUSE_AI_GATEWAY_MGMT_URL'] || undefined,
    aiGatewayUrl: env['GATEHOUSE_AI_GATEWAY_URL'] || undefined,
    token: env['GATEHOUSE_TOKEN'] || undefined,
    tokenFile: env['GATEHOUSE_TOKEN_FILE'] || undefined,
    sessionStore: env['GATEHOUSE_SESSION_STORE'] || undefined,
    graphical: browser !== undefined || (!remote && (desktop || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']))),
    browser,
  };
}

/**
 * The settings from the environment for the terminal: whether it shows colours
 * (https://no-color.org), and whether it shows plain text only.
 */
export function terminal(env: NodeJS.ProcessEnv = process.env): { colours: boolean; dumb: boolean } {
  const dumb = env['TERM'] === 'dumb';
  return { colours: !dumb && !env['NO_COLOR'], dumb };
}

/** The editor that the user has chosen, as a command of the shell: VISUAL, else EDITOR. */
export const readEditorCommand = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env['VISUAL'] || env['EDITOR'] || undefined;

/** Variables that a service needs to find the same home, engine and secrets; none is a secret. */
const SERVICE_VARIABLES = [
  'PATH',
  'XDG_STATE_HOME',
  'DOCKER_HOST',
  'DOCKER_CONTEXT',
  'DOCKER_CONFIG',
  'DOCKER_TLS_VERIFY',
  'DOCKER_CERT_PATH',
  'GATEHOUSE_NETWORK_RANGE',
  'GATEHOUSE_SECRETS_PROVIDER',
  'GATEHOUSE_SECRETS_PASSWORD_FILE',
];

/**
 * The folder of configurations (XDG), and the variables of a service.
 * @param userFolder the home folder of the user
 */
export const readServiceEnvironment = (
  userFolder: string,
  env: NodeJS.ProcessEnv = process.env,
): { configFolder: string; variables: Record<string, string> } => ({
  configFolder: env['XDG_CONFIG_HOME'] || join(userFolder, '.config'),
  variables: Object.fromEntries(SERVICE_VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
});
