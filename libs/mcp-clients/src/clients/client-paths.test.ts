import { describe, expect, it } from '@jest/globals';
import { getClientFile, getInstallMarker, type Machine } from './client-paths.ts';
import { MCP_CLIENTS } from './client-table.ts';

const machines = {
  linux: { platform: 'linux', home: '/home/ada', variables: {} },
  mac: { platform: 'darwin', home: '/Users/ada', variables: {} },
  windows: { platform: 'win32', home: 'C:\\Users\\ada', variables: {} },
} as const satisfies Record<string, Machine>;

const find = (id: string) => MCP_CLIENTS.find((client) => client.id === id)!;
const CODE = 'C:\\Users\\ada\\AppData\\Roaming';
const APP = '/Users/ada/Library/Application Support';

/** The file of each client on Linux, macOS and Windows. */
const FILES: Readonly<Record<string, readonly [linux: string, mac: string, windows: string]>> = {
  'amp-cli': ['.config/amp/settings.json', '.config/amp/settings.json', `${CODE}\\amp\\settings.json`],
  antigravity: inHome('.gemini/antigravity/mcp_config.json'),
  'claude-code': inHome('.claude.json'),
  cline: inCode('User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
  codex: inHome('.codex/config.toml'),
  continue: inHome('.continue/config.yaml'),
  'copilot-cli': inHome('.copilot/mcp-config.json'),
  cursor: inHome('.cursor/mcp.json'),
  factory: inHome('.factory/mcp.json'),
  'gemini-cli': inHome('.gemini/settings.json'),
  goose: ['.config/goose/config.yaml', '.config/goose/config.yaml', `${CODE}\\Block\\goose\\config\\config.yaml`],
  'kimi-cli': inHome('.kimi/mcp.json'),
  kiro: inHome('.kiro/settings/mcp.json'),
  'lm-studio': inHome('.lmstudio/mcp.json'),
  'mistral-vibe': inHome('.vibe/config.toml'),
  opencode: inHome('.config/opencode/opencode.json'),
  qoder: ['.qoder/mcp.json', '.qoder/mcp.json', `${CODE}\\Qoder\\SharedClientCache\\mcp.json`],
  'roo-code': inCode('User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json'),
  trae: inApp('Trae/User/mcp.json'),
  vscode: inCode('User/mcp.json'),
  'vscode-insider': inApp('Code - Insiders/User/mcp.json'),
  'vscode-server': inHome('.vscode-server/data/User/mcp.json'),
  windsurf: inHome('.codeium/windsurf/mcp_config.json'),
  'windsurf-jetbrains': inHome('.codeium/mcp_config.json'),
  zed: ['.config/zed/settings.json', '.config/zed/settings.json', `${CODE}\\Zed\\settings.json`],
};

function inHome(path: string): readonly [string, string, string] {
  return [path, path, `C:\\Users\\ada\\${path.replaceAll('/', '\\')}`];
}

function inApp(path: string): readonly [string, string, string] {
  return [`.config/${path}`, `${APP}/${path}`, `${CODE}\\${path.replaceAll('/', '\\')}`];
}

function inCode(path: string): readonly [string, string, string] {
  return inApp(`Code/${path}`);
}

describe('the configuration file of a client', () => {
  it('is known for every client', () => {
    expect(MCP_CLIENTS.map(({ id }) => id)).toEqual(Object.keys(FILES));
    expect(MCP_CLIENTS.map(({ id }) => id)).toEqual(MCP_CLIENTS.map(({ id }) => id).toSorted());
  });

  it.each(Object.entries(FILES))('of %s has its place on every system', (id, [linux, mac, windows]) => {
    const absolute = (folder: string, path: string) => (path.startsWith('/') ? path : `${folder}/${path}`);
    expect(getClientFile(find(id), machines.linux)).toBe(absolute('/home/ada', linux));
    expect(getClientFile(find(id), machines.mac)).toBe(absolute('/Users/ada', mac));
    expect(getClientFile(find(id), machines.windows)).toBe(windows);
  });

  it.each([
    ['claude-code', 'CLAUDE_CONFIG_DIR', '/x', '/x/.claude.json'],
    ['codex', 'CODEX_HOME', '/x', '/x/config.toml'],
    ['mistral-vibe', 'VIBE_HOME', '/x', '/x/config.toml'],
    ['zed', 'XDG_CONFIG_HOME', '/x', '/x/zed/settings.json'],
    ['vscode', 'XDG_CONFIG_HOME', '/x', '/x/Code/User/mcp.json'],
    ['vscode', 'XDG_CONFIG_HOME', 'relative', '/home/ada/.config/Code/User/mcp.json'],
    ['cursor', 'XDG_CONFIG_HOME', '/x', '/home/ada/.cursor/mcp.json'],
  ])('of %s follows %s=%s', (id, name, value, file) => {
    expect(getClientFile(find(id), { ...machines.linux, variables: { [name]: value } })).toBe(file);
  });

  it('follows APPDATA on Windows', () => {
    const machine = { ...machines.windows, variables: { APPDATA: 'D:\\Data' } };
    expect(getClientFile(find('vscode'), machine)).toBe('D:\\Data\\Code\\User\\mcp.json');
  });

  it('shows by a folder or by itself that the client is installed', () => {
    const markers = ['cursor', 'claude-code', 'cline', 'vscode'].map((id) =>
      getInstallMarker(find(id), machines.linux),
    );
    expect(markers).toEqual([
      '/home/ada/.cursor',
      '/home/ada/.claude.json',
      '/home/ada/.config/Code/User/globalStorage/saoudrizwan.claude-dev',
      '/home/ada/.config/Code',
    ]);
  });
});
