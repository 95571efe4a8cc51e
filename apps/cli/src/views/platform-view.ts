import { join } from 'node:path';
import type { PlatformFile } from '../services/platform/running-platform.ts';

/** The addresses and users of a running platform in a few lines for a person. */
export function formatPlatform({ urls, users }: PlatformFile, home: string): string[] {
  const rows: [string, string][] = [
    ['Console', urls.console],
    ['MCP for clients', `${urls.connector_gateway}/mcp`],
    ['Models', urls.ai_gateway],
    ['Enterprise manager', urls.enterprise_manager],
    ['Sign in as', users.map(({ name }) => name).join(', ')],
    ['Passwords', join(home, 'credentials.json')],
    ['Stop', 'gatehouse down'],
  ];
  return rows.map(([label, value]) => `${label.padEnd(18)} ${value}`);
}
