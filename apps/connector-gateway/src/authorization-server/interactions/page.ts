import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const STYLE = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f4f5f7;color:#1c2430;font:16px/1.5 system-ui,sans-serif}
main{width:min(28rem,calc(100vw - 2rem));background:#fff;border:1px solid #dfe3e8;border-radius:12px;padding:2rem}
h1{font-size:1.35rem;line-height:1.25;margin:0 0 .5rem}
p{margin:0 0 1.25rem}
dl{margin:0 0 1.25rem}dt{font-weight:600}dd{margin:0 0 .75rem;overflow-wrap:anywhere}
button{width:100%;margin-top:.5rem;padding:.65rem;font:inherit;font-weight:600;color:#fff;background:#2b59c3;border:1px solid #2b59c3;border-radius:8px;cursor:pointer}
button.quiet{color:#40506a;background:#fff;border-color:#b8c2d0}
.warning{padding:.6rem .75rem;color:#7a4a00;background:#fff4e0;border-radius:8px}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** One style sheet, no scripts, no frames; `form-action` would refuse redirects to clients. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** A text that is HTML already; all others are escaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** Renders HTML; every inserted text is escaped, also for quoted attributes. */
export function markup(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  return new Html(
    parts.reduce((text, part, index) => {
      const value = values[index - 1] ?? '';
      return text + (value instanceof Html ? value.text : escapeHtml(value)) + part;
    }),
  );
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Renders a whole page. The hash of the style sheet covers each of its characters. */
export const renderPage = (title: string, body: Html): string =>
  markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Gatehouse</title><style>${new Html(STYLE)}</style></head><body><main>${body}</main></body></html>`
    .text;

/** Headers of a page, for a response that another library sends. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = HEADERS;

/** Sends a page. */
export function sendPage(response: ServerResponse, status: number, title: string, body: Html): void {
  response.writeHead(status, HEADERS).end(renderPage(title, body));
}
