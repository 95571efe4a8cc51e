import { createHash } from 'node:crypto';

const style = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;color:#1c2430;background:#f4f6f8}
main{box-sizing:border-box;width:min(26rem,calc(100vw - 2rem));background:#fff;border:1px solid #dfe3e8;border-radius:12px;padding:2rem;box-shadow:0 8px 24px rgb(28 36 48/.08)}
.brand{margin:0 0 1.25rem;font-weight:600;color:#40506a}
h1{font-size:1.35rem;line-height:1.25;margin:0 0 .5rem}
p{margin:0;color:#50607a;overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){body{background:#12161c;color:#e8ecf2}main{background:#1b212a;border-color:#303947}p,.brand{color:#a9b6c9}}
`;

/**
 * Headers of every page. They allow one style sheet, forbid scripts and frames, and keep the
 * address out of the Referer header.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A page with a heading and one sentence. Both are plain text. */
export function page(title: string, sentence: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Gatehouse</title><style>${style}</style></head><body><main><div class="brand">Gatehouse</div><h1>${escape(title)}</h1><p>${escape(sentence)}</p></main></body></html>`;
}
