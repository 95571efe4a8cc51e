import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { getClientFile } from './client-paths.ts';
import { MCP_CLIENTS } from './client-table.ts';

const DOCUMENT = new URL('../../../../docs/configure-clients.md', import.meta.url);

describe('docs/configure-clients.md', () => {
  it('has a row with the file of each client', () => {
    const rows = readFileSync(DOCUMENT, 'utf8').match(/^\| `[a-z-]+` .*$/gm) ?? [];
    const listed = rows.map((row) => {
      const [, id = '', label, file] = row.split('|').map((cell) => cell.trim().replaceAll('`', ''));
      return { id, label, file };
    });
    const machine = { platform: 'linux', home: '~', variables: { XDG_CONFIG_HOME: '/APP' } } as const;
    const app = MCP_CLIENTS.map((client) => ({
      id: client.id,
      label: client.label,
      file: getClientFile(client, machine).replace(/^\/APP/, client.file.below === 'app' ? 'APP' : '~/.config'),
    }));
    expect(listed).toEqual(app);
  });
});
