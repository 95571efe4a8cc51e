import { runProcess } from '@gatehouse/testing/process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Check } from '@gatehouse/testing/conformance-suite';

/** Limit of one scenario: a sign-in takes 2 s on an idle machine. */
const SCENARIO_MS = 60_000;

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const command = `${process.execPath} ${join(import.meta.dirname, 'conformance-client.mjs')}`;

/** A scenario for clients, at one revision. */
export interface ClientScenario {
  name: string;
  /** `extension` for the scenarios of extensions, which have no revision. */
  revision: string;
}

/** The server that a scenario started. */
export interface ScenarioServer {
  serverUrl: string;
  /** The data that the suite gives to the client of this scenario. */
  context: Readonly<Record<string, string>>;
}

/** The result of a scenario. */
export interface ScenarioResult {
  checks: Check[];
  /** The error with which the client ended. */
  failure: string | undefined;
}

/** Lists the scenarios about the authorization of clients, once for each of their revisions. */
export async function listClientScenarios(): Promise<ClientScenario[]> {
  const { stdout } = await runProcess({ command: [process.execPath, program, 'list', '--client'] });
  return [...stdout.matchAll(/^ +- (auth\/\S+) \[(.*)\]$/gm)].flatMap(([, name = '', revisions = '']) =>
    revisions.split(',').map((revision) => ({ name, revision })),
  );
}

/**
 * Runs a scenario.
 * @param act the client: it uses the server of the scenario; an error is the failure of the client
 */
export async function runClientScenario(
  { name, revision }: ClientScenario,
  act: (server: ScenarioServer) => Promise<void>,
): Promise<ScenarioResult> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-conformance-'));
  let failure: string | undefined;
  const report = (error: unknown) => (failure = String(error));
  const client = createServer((request, response) => void serveClient(request, response, act).catch(report));
  client.listen(0, '127.0.0.1');
  await once(client, 'listening');
  try {
    const { stdout, stderr } = await runProcess({
      command: [process.execPath, program, 'client'],
      args: [
        ...['--command', command, '--scenario', name, '--output-dir', folder, '--timeout', String(SCENARIO_MS)],
        ...(revision === 'extension' ? [] : ['--spec-version', revision]),
      ],
      env: { CLIENT_URL: `http://127.0.0.1:${(client.address() as AddressInfo).port}` },
    });
    const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((each) =>
      each.endsWith('checks.json'),
    );
    if (file === undefined) throw new Error(`the suite ended without a result: ${stdout}${stderr}`);
    return { checks: JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[], failure };
  } finally {
    client.closeAllConnections();
    await once(client.close(), 'close');
    rmSync(folder, { recursive: true });
  }
}

async function serveClient(
  request: IncomingMessage,
  response: ServerResponse,
  act: (server: ScenarioServer) => Promise<void>,
): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  try {
    await act(JSON.parse(text) as ScenarioServer);
    response.writeHead(200).end();
  } catch (error) {
    response.writeHead(500).end();
    throw error;
  }
}
