import { rmSync } from 'node:fs';
import { type HomePaths, replaceFile } from './home.ts';
import type { Person } from './identity-provider/directory.ts';
import type { Ports } from './ports.ts';

/** The audience of all access tokens of a local platform. */
export const AUDIENCE = 'urn:gatehouse:local';

/** The id under which the local connector gateway is registered with the enterprise manager. */
export const GATEWAY_ID = 'local';

/** The id under which the local AI gateway is registered with the enterprise manager. */
export const AI_GATEWAY_ID = 'local-ai';

/** The name of the platform's AIGateway resource. */
export const AI_GATEWAY_RESOURCE = 'local';

/** The content of platform.json, with which tools find a running platform. */
export interface PlatformFile {
  version: string;
  /** Process id of the supervisor. */
  pid: number;
  started_at: string;
  urls: {
    enterprise_manager: string;
    connector_gateway: string;
    connector_gateway_control: string;
    ai_gateway_mgmt: string;
    ai_gateway: string;
    console: string;
    identity_provider: string;
  };
  issuer: string;
  audience: string;
  gateway_id: string;
  ai_gateway_id: string;
  users: { name: string; email: string; roles: string[] }[];
}

/** Returns the URLs of the services, without a trailing slash. */
export function createUrls(ports: Ports): PlatformFile['urls'] {
  const url = (port: number): string => `http://127.0.0.1:${port}`;
  return {
    enterprise_manager: url(ports.enterprise_manager),
    connector_gateway: url(ports.connector_gateway),
    connector_gateway_control: url(ports.connector_gateway_control),
    ai_gateway_mgmt: url(ports.ai_gateway_mgmt),
    ai_gateway: url(ports.ai_gateway),
    console: url(ports.console),
    identity_provider: url(ports.identity_provider),
  };
}

/** Creates the content of platform.json. */
export function describePlatform(options: {
  version: string;
  pid: number;
  startedAt: Date;
  ports: Ports;
  people: readonly Person[];
}): PlatformFile {
  const urls = createUrls(options.ports);
  return {
    version: options.version,
    pid: options.pid,
    started_at: options.startedAt.toISOString(),
    urls,
    issuer: urls.identity_provider,
    audience: AUDIENCE,
    gateway_id: GATEWAY_ID,
    ai_gateway_id: AI_GATEWAY_ID,
    users: options.people.map(({ name, email, roles }) => ({ name, email, roles })),
  };
}

export function writePlatformFile(paths: HomePaths, platform: PlatformFile): void {
  replaceFile(paths.platformFile, `${JSON.stringify(platform, null, 2)}\n`);
}

export function removePlatformFile(paths: HomePaths): void {
  rmSync(paths.platformFile, { force: true });
}
