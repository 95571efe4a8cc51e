import { DEFAULT_HOME } from './config.ts';
import type { HomePaths } from './home.ts';
import type { PlatformFile } from './platform-file.ts';

/** Formats the text of a ready platform: its addresses, its users and three things to try. */
export function formatWelcome(platform: PlatformFile, paths: HomePaths, seconds: number): string {
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
    `     curl -H "Authorization: Bearer $(npm run --silent gatehouse -- token --user alice)" ${urls.enterprise_manager}/v1/me`,
    '  3. Run an MCP server in a container:',
    '     npm run --silent gatehouse -- run --help',
    '',
    `All data is in ${paths.home}. Ctrl-C stops the platform.`,
    '',
  ].join('\n');
}

/** Quotes a word for a shell. */
const quoteWord = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
