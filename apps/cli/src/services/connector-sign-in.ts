import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailedError, InterruptedError } from '../errors/cli-error.ts';
import { createGatewayApi } from './manager/gateway-api.ts';
import { type Manager, readResponse } from './manager/manager.ts';
import { showAddress, webAddress } from './session/login.ts';
import { parseTimeout } from './session/timeout.ts';

/** The time between two reads of the connection status. */
const POLL_MS = 1_000;

/** The options of a sign-in at the provider of a connector. */
export interface ConnectOptions {
  /** Whether the command prints the address and does not open a browser. */
  readonly noBrowser: boolean;
  /** A program instead of the system's browser. */
  readonly browser: string | undefined;
  /** A Go duration, such as `10m`. */
  readonly timeout: string;
  readonly abort: AbortSignal;
  readonly say: (text: string) => void;
}

/** A connector, as it is called in messages. */
export interface ConnectorName {
  readonly id: string;
  readonly slug: string;
}

const LIST = 'gatehouse connectors list';

/**
 * Opens the page on which the caller signs in for a connector, and waits until the connector is
 * connected.
 * @param gateway the control plane of its gateway
 * @returns false if the caller was connected before
 * @throws CliError; ConflictError for a connector that needs no sign-in
 */
export async function connectConnector(
  gateway: Manager,
  connector: ConnectorName,
  options: ConnectOptions,
): Promise<boolean> {
  const timeoutMs = parseTimeout(options.timeout);
  const { authorize_url: link } = await readResponse(
    gateway,
    createGatewayApi(gateway).POST('/v1/users/me/gateway/connectors/{connector_id}/connect', toPath(connector)),
    { fields: { authorize_url: 'text' }, list: LIST },
  );
  if (await isConnected(gateway, connector)) return false;
  await showAddress(webAddress(link), options);
  const deadline = performance.now() + timeoutMs;
  while (!(await isConnected(gateway, connector))) {
    if (performance.now() > deadline)
      throw new CommandFailedError(`${connector.slug} was not connected within ${options.timeout}`, [
        `gatehouse connectors connect ${connector.slug}`,
      ]);
    await sleep(POLL_MS, undefined, { signal: options.abort }).catch(() => {
      throw new InterruptedError();
    });
  }
  return true;
}

/** Revokes and deletes the tokens of the caller for a connector. @throws CliError */
export async function disconnectConnector(gateway: Manager, connector: ConnectorName): Promise<void> {
  const path = '/v1/users/me/gateway/connectors/{connector_id}/connect';
  await readResponse(gateway, createGatewayApi(gateway).DELETE(path, toPath(connector)), { list: LIST });
}

async function isConnected(gateway: Manager, connector: ConnectorName): Promise<boolean> {
  const path = '/v1/users/me/gateway/connectors/{connector_id}/status';
  const call = createGatewayApi(gateway).GET(path, toPath(connector));
  const { connection_status } = await readResponse(gateway, call, {
    fields: { connection_status: 'text' },
    list: LIST,
  });
  return connection_status === 'connected';
}

const toPath = ({ id }: ConnectorName) => ({ params: { path: { connector_id: id } } });
