import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';

/** A piece of HTML. Only `html` makes one, so all other text in it is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** A value in a template: text, a piece of HTML, a list of pieces, or nothing. */
type HtmlValue = string | Html | readonly Html[] | undefined;

/** Writes HTML. Each value that is not itself HTML is escaped, also for a quoted attribute. */
export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html =>
  new Html(strings.reduce((text, part, at) => `${text}${render(values[at - 1])}${part}`));

function render(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  return value.map(({ text }) => text).join('');
}

const escapeHtml = (text: string): string => text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f4f5f7;color:#1c2430;font:16px/1.5 system-ui,sans-serif}
main{width:min(28rem,calc(100vw - 2rem));background:#fff;border:1px solid #dfe3e8;border-radius:12px;padding:2rem}
h1{font-size:1.35rem;line-height:1.25;margin:0 0 .5rem;overflow-wrap:anywhere}
p{margin:0 0 1.25rem;color:#50607a;overflow-wrap:anywhere}
dl{margin:0 0 1.25rem}dt{font-weight:500}dd{margin:0 0 .5rem;color:#50607a;overflow-wrap:anywhere}
button,a.button{display:block;width:100%;margin-top:.5rem;padding:.65rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;color:#fff;background:#2b59c3;border:1px solid #2b59c3;border-radius:8px;cursor:pointer}
p.warning{color:#8a4b00;font-weight:500}
button.quiet{color:#40506a;background:#fff;border-color:#b8c2d0}
button:focus-visible,a:focus-visible{outline:3px solid #9db7f2;outline-offset:1px}
@media (prefers-color-scheme:dark){body{background:#12161c;color:#e8ecf2}main{background:#1b212a;border-color:#303947}p,dd{color:#a9b6c9}p.warning{color:#f0b45c}button.quiet{background:#1b212a;color:#c8d2e1;border-color:#465369}}
`;

/** Without blanks around the style, which the hash below covers. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/**
 * Headers of every page: one style sheet, no scripts, no frames. `form-action` is missing, because
 * browsers apply it also to the redirect after a form, which leads to a provider.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  // Without any referrer, browsers send the origin `null` with forms.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** A page. */
export interface Page {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
}

/** Renders a page. It is sent with PAGE_HEADERS. */
export const renderPage = ({ title, body }: Omit<Page, 'status'>): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.text;

/** Sends a page. */
export function sendPage(reply: FastifyReply, page: Page): void {
  void reply.code(page.status).headers(PAGE_HEADERS).send(renderPage(page));
}

/** Sends a page with one paragraph of text. */
export const sendMessage = (reply: FastifyReply, status: number, title: string, text: string): void =>
  sendPage(reply, { status, title, body: html`<p>${text}</p>` });
