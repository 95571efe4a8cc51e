import type { ServerResponse } from 'node:http';
import { html, PAGE_HEADERS, type Page, renderPage } from '../../public-listener/page.ts';

/** Sends a page as the response of a request outside of Fastify. */
export function sendRawPage(response: ServerResponse, page: Page): void {
  response.writeHead(page.status, PAGE_HEADERS).end(renderPage(page));
}

/** The page of an authorization that failed. */
export const createFailurePage = (status: number, description: string): Page => ({
  status,
  title: 'This did not work',
  body: html`<p>${description}</p>
    <p>Go back to your client and start again.</p>`,
});
