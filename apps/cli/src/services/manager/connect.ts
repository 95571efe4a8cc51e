import { readSmallText } from '@gatehouse/local-files/text-file';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManagerEnvironment } from '../../config/config.ts';
import { fixedToken, sessionTokens } from '../session/access.ts';
import { managerAddress } from '../session/address.ts';
import { Sessions } from '../session/sessions.ts';
import { type Manager, managerAt } from './manager.ts';
import { UsageError } from '../../errors/cli-error.ts';

/** The flags that select the manager of a command. */
export interface ManagerFlags {
  /** `--url` */
  readonly url?: string | undefined;
  /** `--token-file` */
  readonly tokenFile?: string | undefined;
}

/** The largest token file, in bytes. */
const TOKEN_LIMIT = 64 * 1024;

/** The sessions of a home. */
export const createSessions = (home: string, environment: ManagerEnvironment): Sessions =>
  new Sessions(home, environment.sessionStore);

/**
 * The manager of a command: of the flag, the environment, the last sign-in, or the local platform
 * of the home, in this order.
 * @throws UsageError when none of them names a manager
 */
export function managerUrl(
  home: string,
  flags: ManagerFlags,
  environment: ManagerEnvironment,
  sessions: Sessions,
): string {
  return findManagerUrl(home, flags, environment, sessions) ?? throwNoManager();
}

/** The same; undefined when nothing names a manager. */
export const findManagerUrl = (
  home: string,
  flags: ManagerFlags,
  environment: ManagerEnvironment,
  sessions: Sessions,
): string | undefined => namedManager(flags, environment) ?? sessions.last() ?? localManager(home);

/**
 * The manager to sign in to: of the flag, the environment, the local platform of the home, or the
 * last sign-in, in this order.
 * @throws UsageError
 */
export function loginUrl(
  home: string,
  flags: ManagerFlags,
  environment: ManagerEnvironment,
  sessions: Sessions,
): string {
  return namedManager(flags, environment) ?? localManager(home) ?? sessions.last() ?? throwNoManager();
}

/** A client of the command's manager with the caller's token. @throws CliError */
export function connect(home: string, flags: ManagerFlags, environment: ManagerEnvironment): Manager {
  const sessions = createSessions(home, environment);
  const url = managerUrl(home, flags, environment, sessions);
  return connectAt(url, url, flags, environment, sessions);
}

/**
 * A client of the control plane of a connector gateway, with the manager's tokens. Its address
 * comes from the environment, else from the local platform when the manager is part of it. A
 * gateway in local mode has no manager, so a given address and token need none.
 * @param gateway id of the gateway
 * @returns undefined without a known address
 * @throws CliError
 */
export function connectToGateway(
  home: string,
  gateway: string,
  flags: ManagerFlags,
  environment: ManagerEnvironment,
): Manager | undefined {
  const sessions = createSessions(home, environment);
  const named = environment.connectorGatewayUrl;
  const given = named === undefined ? undefined : managerAddress(named, 'GATEHOUSE_CONNECTOR_GATEWAY_URL');
  const manager = findManagerUrl(home, flags, environment, sessions) ?? NO_MANAGER;
  if (manager === NO_MANAGER && (given === undefined || readGivenToken(flags, environment) === undefined))
    throwNoManager();
  const url = given ?? localGateway(home, manager, gateway);
  return url === undefined ? undefined : connectAt(url, manager, flags, environment, sessions);
}

/** The address of the manager of a gateway that has none. */
const NO_MANAGER = '';

/** The same. @throws UsageError also without a known address */
export function requireGateway(
  home: string,
  gateway: string,
  flags: ManagerFlags,
  environment: ManagerEnvironment,
): Manager {
  const control = connectToGateway(home, gateway, flags, environment);
  if (control !== undefined) return control;
  throw new UsageError(`The address of the connector gateway ${gateway} is missing`, [
    'GATEHOUSE_CONNECTOR_GATEWAY_URL with the address of its control plane',
    'or gatehouse up, for a platform on this machine',
  ]);
}

/** @param manager address of the manager that the session belongs to */
function connectAt(
  url: string,
  manager: string,
  flags: ManagerFlags,
  environment: ManagerEnvironment,
  sessions: Sessions,
): Manager {
  const token = readGivenToken(flags, environment);
  const sources = {
    url: flags.url === undefined && environment.url !== undefined ? 'GATEHOUSE_URL' : undefined,
    token: token?.source,
    manager: url === manager ? undefined : manager,
  };
  return managerAt(url, token === undefined ? sessionTokens(sessions, manager) : fixedToken(token.value), sources);
}

function namedManager({ url }: ManagerFlags, environment: ManagerEnvironment): string | undefined {
  if (url !== undefined) return managerAddress(url, '--url');
  return environment.url === undefined ? undefined : managerAddress(environment.url, 'GATEHOUSE_URL');
}

/** The manager of the local platform that runs on this home; undefined without one. */
const localManager = (home: string): string | undefined => localAddress(home, ({ urls }) => urls['enterprise_manager']);

/**
 * The address of the AI gateway, for clients of models: of the environment, else of the local
 * platform if the manager is part of it.
 */
export function findAiGateway(home: string, manager: string, { aiGatewayUrl }: ManagerEnvironment): string | undefined {
  if (aiGatewayUrl !== undefined) return managerAddress(aiGatewayUrl, 'GATEHOUSE_AI_GATEWAY_URL');
  return localManager(home) === manager ? localAddress(home, ({ urls }) => urls['ai_gateway']) : undefined;
}

/**
 * The AI gateway management of the local platform; undefined for another manager.
 */
export const findLocalManagement = (home: string, manager: string): string | undefined =>
  localManager(home) === manager ? localAddress(home, ({ urls }) => urls['ai_gateway_mgmt']) : undefined;

/**
 * The control plane of the gateway of that platform; undefined for another gateway or another
 * manager.
 */
const localGateway = (home: string, manager: string, gateway: string): string | undefined =>
  localManager(home) === manager
    ? localAddress(home, ({ urls, gateway_id }) =>
        gateway_id === gateway ? urls['connector_gateway_control'] : undefined,
      )
    : undefined;

/** The members of platform.json that the command line reads. */
interface PlatformFile {
  urls: Readonly<Record<string, string | undefined>>;
  gateway_id: string;
}

function localAddress(home: string, of: (platform: PlatformFile) => string | undefined): string | undefined {
  try {
    const address = of(JSON.parse(readFileSync(join(home, 'platform.json'), 'utf8')) as PlatformFile);
    return address === undefined ? undefined : managerAddress(address, 'platform.json');
  } catch {
    return undefined;
  }
}

function throwNoManager(): never {
  throw new UsageError('The address of the enterprise manager is missing', [
    'gatehouse login --url https://gatehouse.example.com',
    'or gatehouse up, for a platform on this machine',
  ]);
}

/**
 * The token that a flag or the environment supplies instead of a session.
 * @throws UsageError when the named source has no token
 */
export function readGivenToken(
  { tokenFile }: ManagerFlags,
  environment: ManagerEnvironment,
): { readonly value: string; readonly source: string } | undefined {
  const file = tokenFile ?? (environment.token === undefined ? environment.tokenFile : undefined);
  if (file === undefined) {
    if (environment.token === undefined) return undefined;
    return { value: tokenIn(environment.token, 'GATEHOUSE_TOKEN'), source: 'GATEHOUSE_TOKEN' };
  }
  const source = tokenFile === undefined ? 'GATEHOUSE_TOKEN_FILE' : '--token-file';
  let text: string;
  try {
    text = readSmallText(file, TOKEN_LIMIT);
  } catch (cause) {
    throw new UsageError(`${source} ${file} cannot be read`, [], cause);
  }
  return { value: tokenIn(text, `${source} ${file}`), source };
}

/** The syntax of bearer tokens (RFC 6750, section 2.1). */
function tokenIn(text: string, source: string): string {
  const token = text.trim();
  if (/^[\w.~+/-]+=*$/.test(token)) return token;
  throw new UsageError(`${source} contains no access token`);
}
