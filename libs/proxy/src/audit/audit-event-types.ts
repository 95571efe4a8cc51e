/** The types of events by their method of MCP. */
export const TYPES_BY_METHOD: ReadonlyMap<string, string> = new Map([
  ['initialize', 'mcp_initialize'],
  ['tools/call', 'mcp_tool_call'],
  ['tools/list', 'mcp_tools_list'],
  ['resources/read', 'mcp_resource_read'],
  ['resources/list', 'mcp_resources_list'],
  ['prompts/get', 'mcp_prompt_get'],
  ['prompts/list', 'mcp_prompts_list'],
  ['notifications/message', 'mcp_notification'],
  ['ping', 'mcp_ping'],
  ['logging/setLevel', 'mcp_logging'],
  ['completion/complete', 'mcp_completion'],
  ['notifications/roots/list_changed', 'mcp_roots_list_changed'],
]);

/** All types of events. `http_request`: a request without a message that could be read. */
export const AUDIT_EVENT_TYPES: readonly string[] = [
  ...TYPES_BY_METHOD.values(),
  'mcp_request',
  'sse_connection',
  'http_request',
];
