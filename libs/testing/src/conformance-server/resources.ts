import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { IMAGE } from './content-tools.ts';

const TEMPLATE = 'test://template/{id}/data';

/** Registers the resources of the scenarios `resources-*`. */
export function registerResources(server: McpServer): void {
  const texts = {
    'static-text': 'This is the content of the static text resource.',
    'watched-resource': 'Watched resource content',
  };
  for (const [name, text] of Object.entries(texts)) {
    const about = { title: name, description: 'A text.', mimeType: 'text/plain' };
    server.registerResource(name, `test://${name}`, about, ({ href: uri }) => ({
      contents: [{ uri, mimeType: 'text/plain', text }],
    }));
  }
  const image = { title: 'static-binary', description: 'An image.', mimeType: 'image/png' };
  server.registerResource('static-binary', 'test://static-binary', image, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: IMAGE }],
  }));
  const data = { title: 'template', description: 'A text for each id.', mimeType: 'application/json' };
  const template = new ResourceTemplate(TEMPLATE, {
    list: undefined,
    complete: { id: (value) => ['123', '124', '200'].filter((id) => id.startsWith(value)) },
  });
  server.registerResource('template', template, data, ({ href: uri }, { id }) => ({
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
}
