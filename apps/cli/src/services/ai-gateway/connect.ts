import type { ManagerEnvironment } from '../../config/config.ts';
import { UsageError } from '../../errors/cli-error.ts';
import {
  findLocalManagement,
  findManagerUrl,
  type ManagerFlags,
  managerUrl,
  readGivenToken,
  createSessions,
} from '../manager/connect.ts';
import { fixedToken, sessionTokens } from '../session/access.ts';
import { managerAddress } from '../session/address.ts';
import { createManagement, type Management } from './management.ts';
import type { ManagementSources } from './service-errors.ts';

/** The flags that select the service of a command. */
export interface ManagementFlags extends ManagerFlags {
  /** `--management-url` */
  readonly managementUrl?: string | undefined;
}

/** The variable with the address of AI gateway management. */
const URL_VARIABLE = 'GATEHOUSE_AI_GATEWAY_MGMT_URL';

/**
 * A client of AI gateway management with the manager's tokens. Its address comes from the flag, the
 * environment, or the local platform when the manager is part of it, in this order.
 * @throws UsageError when none of them names an address; CliError without a usable token
 */
export function connectToManagement(home: string, flags: ManagementFlags, environment: ManagerEnvironment): Management {
  const sessions = createSessions(home, environment);
  const given = readGivenToken(flags, environment);
  if (given !== undefined) {
    const manager = findManagerUrl(home, flags, environment, sessions);
    const address = readAddress(home, manager, flags, environment);
    return createManagement({ ...address, manager, tokenSource: given.source }, fixedToken(given.value));
  }
  const manager = managerUrl(home, flags, environment, sessions);
  const address = readAddress(home, manager, flags, environment);
  return createManagement({ ...address, manager, tokenSource: undefined }, sessionTokens(sessions, manager));
}

function readAddress(
  home: string,
  manager: string | undefined,
  { managementUrl }: ManagementFlags,
  { aiGatewayMgmtUrl }: ManagerEnvironment,
): Pick<ManagementSources, 'url' | 'urlSource'> {
  if (managementUrl !== undefined)
    return { url: managerAddress(managementUrl, '--management-url'), urlSource: '--management-url' };
  if (aiGatewayMgmtUrl !== undefined)
    return { url: managerAddress(aiGatewayMgmtUrl, URL_VARIABLE), urlSource: URL_VARIABLE };
  const local = manager === undefined ? undefined : findLocalManagement(home, manager);
  if (local !== undefined) return { url: local, urlSource: 'platform.json' };
  throw new UsageError('The address of AI gateway management is missing', [
    '--management-url https://ai-policies.example.com',
    `or set ${URL_VARIABLE}`,
    'or gatehouse up, for a platform on this machine',
  ]);
}
