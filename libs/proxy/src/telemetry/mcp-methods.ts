/** The methods of requests and notifications of clients, in all revisions of the protocol. */
const METHODS: ReadonlySet<string> = new Set([
  ...['initialize', 'ping', 'server/discover', 'completion/complete', 'logging/setLevel'],
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get'],
  ...['resources/list', 'resources/templates/list', 'resources/read', 'resources/subscribe', 'resources/unsubscribe'],
  ...['tasks/get', 'tasks/list', 'tasks/result', 'tasks/cancel', 'tasks/update', 'subscriptions/listen'],
  ...['notifications/initialized', 'notifications/cancelled', 'notifications/progress'],
  ...['notifications/roots/list_changed', 'notifications/message', 'notifications/tasks/status'],
]);

/** Whether the protocol has the method. Clients can send any text. */
export const isMcpMethod = (method: string): boolean => METHODS.has(method);
