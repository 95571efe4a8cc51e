/** The server of the MCP conformance suite as a stdio program, for both protocol eras. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './create-server.ts';
import { loadSkills } from './skills.ts';
import { TaskStore } from './task-store.ts';

const skills = await loadSkills();

serveStdio(() => {
  const watched = new Set<string>();
  const server = createServer({
    ...{ tasks: new TaskStore(), skills },
    changes: {
      toolsChanged: () => server.sendToolListChanged(),
      promptsChanged: () => server.sendPromptListChanged(),
      resourceUpdated: (uri) => void server.server.sendResourceUpdated({ uri }),
    },
  });
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    watched.add(params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    watched.delete(params.uri);
    return {};
  });
  return server;
});
