import type { ServerResponse } from 'node:http';
import { html, PAGE_HEADERS, type Page, renderPage } from '../../public-listener/page.ts';

/** Sends a page as the response of a request outside of Fastify. */
export function sendRawPage(response: ServerResponse, page: Page): void {
  response.writeHead(page.status, PAGE_HEADERS).end(renderPage(page));
}

/**
 * Describes why an authorization failed, with a way out if the client's document is the reason.
 * @param description text of the provider library
 * @param clientId as the client sent it
 */
export const describeFailure = (description: string, clientId: unknown): string =>
  description.startsWith('client_id metadata document')
    ? `Your client is described by a document at ${String(clientId)}, which the gateway cannot use: ${description}. ` +
      'Ask an administrator to let the gateway reach that address, or to set CLIENT_METADATA_DOCUMENTS=false, so that clients register themselves.'
    : description;

/** The page of an authorization that failed. */
export const createFailurePage = (status: number, description: string): Page => ({
  status,
  title: 'This did not work',
  body: html`<p>${description}</p>
    <p>Go back to your client and start again.</p>`,
});
