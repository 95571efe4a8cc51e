import { DEFAULT_HOME } from './config.ts';
import type { HomePaths } from './home.ts';
import type { PlatformFile } from './platform-file.ts';

/** The facts of a start for the text of a ready platform. */
export interface StartFacts {
  readonly seconds: number;
  /** Whether the demo model runs. */
  readonly demo: boolean;
}

/** Formats the text of a ready platform: its addresses, its users and three things to try. */
export function formatWelcome(platform: PlatformFile, paths: HomePaths, { seconds, demo }: StartFacts): string {
  const { urls, users } = platform;
  const addresses: [string, string][] = [
    ['Console', urls.console],
    ['MCP for clients', `${urls.connector_gateway}/mcp`],
    ['Enterprise manager', `${urls.enterprise_manager}/api/doc`],
    ['Connector gateway', `${urls.connector_gateway_control}/api/doc`],
    ['AI gateway management', `${urls.ai_gateway_mgmt}/api/doc`],
    ['AI gateway', `${urls.ai_gateway}/api/doc`],
    ['Identity provider', urls.identity_provider],
  ];
  return [
    '',
    `Gatehouse is ready after ${seconds.toFixed(1)} s.`,
    '',
    ...addresses.map(([name, url]) => `  ${name.padEnd(22)} ${url}`),
    '',
    `Sign in as ${users.map(({ name }) => name).join(', ')}; the passwords are in ${paths.credentialsFile}`,
    '',
    'Three things to try:',
    ...(paths.home === DEFAULT_HOME
      ? []
      : [`  0. In another terminal: export GATEHOUSE_HOME=${quoteWord(paths.home)}`]),
    `  1. Open ${urls.console} and sign in as admin.`,
    '  2. Read the profile of alice:',
    `     curl -H ${ALICE} ${urls.enterprise_manager}/v1/me`,
    ...(demo ? describeModelCall(urls) : describeServerRun()),
    '',
    `All data is in ${paths.home}. Ctrl-C stops the platform.`,
    '',
  ].join('\n');
}

const ALICE = '"Authorization: Bearer $(npm run --silent gatehouse -- token --user alice)"';

const describeModelCall = ({ ai_gateway: url }: PlatformFile['urls']): string[] => [
  '  3. Call the demo model, and see its cost with "gatehouse usage" (docs/call-a-model.md):',
  `     curl -H ${ALICE} ${url}/v1/chat/completions --json '{"model": "demo-echo", "messages": [{"role": "user", "content": "Hello"}]}'`,
];

const describeServerRun = (): string[] => [
  '  3. Run an MCP server in a container:',
  '     npm run --silent gatehouse -- run --help',
];

/** Quotes a word for a shell. */
const quoteWord = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
