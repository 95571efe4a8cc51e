// A model provider for demonstrations: it repeats the messages of users in the formats of OpenAI,
// Anthropic and Google. It needs no credential and calls no model.
import { watchParent } from '../parent-guard/parent.ts';
import { readConfig } from './config.ts';
import { startDemoProvider } from './server.ts';

const { port, supervisorPid } = readConfig();
const provider = await startDemoProvider(port);
console.log(JSON.stringify({ message: 'demo provider is ready', url: provider.url }));
const stop = (): void => {
  void provider.close().then(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
if (supervisorPid !== undefined) watchParent(supervisorPid, stop);
