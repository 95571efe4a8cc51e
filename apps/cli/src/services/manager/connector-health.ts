import { getErrorMessage } from '@gatehouse/workloads/errors/workload-error';
import type { Manager } from './manager.ts';

/** Whether the server of a connector answers the gateway's probes, and since when. */
export interface ConnectorHealth {
  readonly status: string;
  readonly since: string;
}

/**
 * Adds the results of the gateway's probes. When the gateway is unavailable, the list has no
 * health.
 * @param say receives the reason
 */
export async function withHealth<T extends { readonly connector: { readonly id: string } }>(
  connectors: readonly T[],
  gateway: Manager | undefined,
  say: (sentence: string) => void,
): Promise<(T & { health?: ConnectorHealth })[]> {
  if (gateway === undefined) return [...connectors];
  try {
    const known = await healthById(gateway);
    return connectors.map((own) => {
      const health = known.get(own.connector.id);
      return { ...own, ...(health && { health }) };
    });
  } catch (error) {
    say(`The health of connectors is not shown: ${getErrorMessage(error)}`);
    return [...connectors];
  }
}

/** The health of the connectors that the caller may use, by their ids. @throws Error */
async function healthById(gateway: Manager): Promise<ReadonlyMap<string, ConnectorHealth>> {
  const response = await gateway.get('/v1/users/me/gateway/connectors/status', {}).catch((cause: unknown) => {
    throw new Error(`the connector gateway at ${gateway.url} cannot be reached`, { cause });
  });
  const body = (await response.json().catch(() => undefined)) as
    { statuses?: { connector_id: string; health?: ConnectorHealth }[] } | undefined;
  if (!response.ok || !Array.isArray(body?.statuses))
    throw new Error(`the connector gateway at ${gateway.url} answered HTTP ${response.status}`);
  return new Map(body.statuses.flatMap(({ connector_id, health }) => (health ? [[connector_id, health]] : [])));
}
