import type { MachinePath, McpClient } from './mcp-client.ts';

const home = (path: string, more: Partial<MachinePath> = {}): MachinePath => ({ below: 'home', path, ...more });
const xdg = (path: string, more: Partial<MachinePath> = {}): MachinePath => ({ below: 'xdg', path, ...more });
const app = (path: string): MachinePath => ({ below: 'app', path });

/** Most clients have a JSON file with a map of servers and the field `url`. */
const json = (section: string, type?: string) =>
  ({
    format: 'json',
    section,
    shape: 'map',
    urlField: 'url',
    fields: type === undefined ? {} : { type },
    // OpenCode has the label `remote` for both transports.
    ...(type !== undefined && type !== 'remote' && { sse: { fields: { type: 'sse' } } }),
  }) as const;

/** The folder of a VS Code extension. */
const extension = (name: string) => app(`Code/User/globalStorage/${name}`);

/** Every client that Gatehouse can configure, sorted by id. */
export const MCP_CLIENTS: readonly McpClient[] = [
  {
    id: 'amp-cli',
    label: 'Amp CLI',
    file: xdg('amp/settings.json', { windows: app('amp/settings.json') }),
    ...json('amp.mcpServers', 'http'),
  },
  {
    id: 'antigravity',
    label: 'Antigravity',
    file: home('.gemini/antigravity/mcp_config.json'),
    ...json('mcpServers'),
    urlField: 'serverUrl',
  },
  {
    id: 'claude-code',
    label: 'Claude Code',
    file: home('.claude.json', { variable: 'CLAUDE_CONFIG_DIR' }),
    marker: home('.claude.json', { variable: 'CLAUDE_CONFIG_DIR' }),
    ...json('mcpServers', 'http'),
  },
  {
    id: 'cline',
    label: 'Cline',
    file: extension('saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
    marker: extension('saoudrizwan.claude-dev'),
    ...json('mcpServers', 'streamableHttp'),
  },
  {
    id: 'codex',
    label: 'Codex',
    file: home('.codex/config.toml', { variable: 'CODEX_HOME' }),
    format: 'toml',
    section: 'mcp_servers',
    shape: 'map',
    urlField: 'url',
    fields: {},
  },
  {
    id: 'continue',
    label: 'Continue',
    file: home('.continue/config.yaml'),
    format: 'yaml',
    section: 'mcpServers',
    shape: 'list',
    urlField: 'url',
    fields: { type: 'streamable-http' },
    sse: { fields: { type: 'sse' } },
  },
  {
    id: 'copilot-cli',
    label: 'GitHub Copilot CLI',
    file: home('.copilot/mcp-config.json'),
    ...json('mcpServers'),
    fields: { type: 'http', tools: ['*'] },
    sse: { fields: { type: 'sse', tools: ['*'] } },
  },
  { id: 'cursor', label: 'Cursor', file: home('.cursor/mcp.json'), ...json('mcpServers', 'http') },
  { id: 'factory', label: 'Factory', file: home('.factory/mcp.json'), ...json('mcpServers', 'http') },
  {
    id: 'gemini-cli',
    label: 'Gemini CLI',
    file: home('.gemini/settings.json'),
    ...json('mcpServers'),
    urlField: 'httpUrl',
    sse: { urlField: 'url' },
  },
  {
    id: 'goose',
    label: 'Goose',
    file: xdg('goose/config.yaml', { windows: app('Block/goose/config/config.yaml') }),
    format: 'yaml',
    section: 'extensions',
    shape: 'map',
    urlField: 'uri',
    hasName: true,
    fields: { type: 'streamable_http', enabled: true, timeout: 60, description: '' },
    sse: { fields: { type: 'sse', enabled: true, timeout: 60, description: '' } },
  },
  { id: 'kimi-cli', label: 'Kimi CLI', file: home('.kimi/mcp.json'), ...json('mcpServers') },
  { id: 'kiro', label: 'Kiro', file: home('.kiro/settings/mcp.json'), marker: home('.kiro'), ...json('mcpServers') },
  { id: 'lm-studio', label: 'LM Studio', file: home('.lmstudio/mcp.json'), ...json('mcpServers', 'http') },
  {
    id: 'mistral-vibe',
    label: 'Mistral Vibe',
    file: home('.vibe/config.toml', { variable: 'VIBE_HOME' }),
    format: 'toml',
    section: 'mcp_servers',
    shape: 'list',
    urlField: 'url',
    fields: { transport: 'streamable-http' },
    sse: { fields: { transport: 'http' } },
  },
  { id: 'opencode', label: 'OpenCode', file: xdg('opencode/opencode.json'), ...json('mcp', 'remote') },
  {
    id: 'qoder',
    label: 'Qoder',
    file: home('.qoder/mcp.json', { windows: app('Qoder/SharedClientCache/mcp.json') }),
    ...json('mcpServers', 'http'),
  },
  {
    id: 'roo-code',
    label: 'Roo Code',
    file: extension('rooveterinaryinc.roo-cline/settings/mcp_settings.json'),
    marker: extension('rooveterinaryinc.roo-cline'),
    ...json('mcpServers', 'streamable-http'),
  },
  { id: 'trae', label: 'Trae', file: app('Trae/User/mcp.json'), marker: app('Trae'), ...json('mcpServers') },
  { id: 'vscode', label: 'VS Code', file: app('Code/User/mcp.json'), marker: app('Code'), ...json('servers', 'http') },
  {
    id: 'vscode-insider',
    label: 'VS Code Insiders',
    file: app('Code - Insiders/User/mcp.json'),
    marker: app('Code - Insiders'),
    ...json('servers', 'http'),
  },
  {
    id: 'vscode-server',
    label: 'VS Code Server',
    file: home('.vscode-server/data/User/mcp.json'),
    marker: home('.vscode-server'),
    ...json('servers'),
  },
  {
    id: 'windsurf',
    label: 'Windsurf',
    file: home('.codeium/windsurf/mcp_config.json'),
    ...json('mcpServers', 'http'),
    urlField: 'serverUrl',
  },
  {
    id: 'windsurf-jetbrains',
    label: 'Windsurf for JetBrains',
    file: home('.codeium/mcp_config.json'),
    marker: home('.codeium/mcp_config.json'),
    ...json('mcpServers', 'http'),
    urlField: 'serverUrl',
  },
  {
    id: 'zed',
    label: 'Zed',
    file: xdg('zed/settings.json', { windows: app('Zed/settings.json') }),
    ...json('context_servers'),
  },
];
