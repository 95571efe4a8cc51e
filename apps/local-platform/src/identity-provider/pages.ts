import { createHash } from 'node:crypto';

const style = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f4f5f7;color:#1c2430;font:16px/1.5 system-ui,sans-serif}
main{width:min(24rem,calc(100vw - 2rem));background:#fff;border:1px solid #dfe3e8;border-radius:12px;padding:2rem;box-shadow:0 8px 24px rgb(28 36 48/.08)}
.brand{display:flex;align-items:center;gap:.6rem;margin:0 0 1.5rem;font-weight:600;color:#40506a}
.brand::before{content:"";width:1.5rem;height:1.5rem;border-radius:12px 12px 3px 3px;background:linear-gradient(90deg,#2b59c3 42%,#fff 42% 58%,#2b59c3 58%)}
h1{font-size:1.35rem;line-height:1.25;margin:0 0 .5rem}
p{margin:0 0 1.25rem;color:#50607a}
label{display:block;margin:0 0 1rem;font-weight:500}
input[type=text],input[type=password]{width:100%;margin-top:.3rem;padding:.6rem .75rem;font:inherit;border:1px solid #b8c2d0;border-radius:8px;background:#fff}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid #9db7f2;outline-offset:1px}
button{width:100%;margin-top:.5rem;padding:.65rem;font:inherit;font-weight:600;color:#fff;background:#2b59c3;border:1px solid #2b59c3;border-radius:8px;cursor:pointer}
button:hover{background:#234aa4}
button.quiet{color:#40506a;background:#fff;border-color:#b8c2d0}
.error{padding:.6rem .75rem;color:#8c1d18;background:#fdecea;border-radius:8px}
code{font:600 1.5rem/1.2 ui-monospace,monospace;letter-spacing:.08em;color:#1c2430}
small{display:block;margin-top:1.25rem;color:#68778f}
small code{font-size:.85rem;letter-spacing:0;font-weight:400}
dl{margin:0 0 1rem}dt{font-weight:500}dd{margin:0 0 .5rem;color:#50607a;overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){
body{background:#12161c;color:#e8ecf2}main{background:#1b212a;border-color:#303947}p,dd,.brand{color:#a9b6c9}small{color:#8b99af}
input[type=text],input[type=password]{background:#12161c;color:inherit;border-color:#465369}button.quiet{background:#1b212a;color:#c8d2e1;border-color:#465369}
code{color:#e8ecf2}.error{color:#ffb4ab;background:#3b1714}}
`;

/** Headers of every page: one style sheet, no scripts, no frames. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  // form-action is missing, because browsers apply it to the redirect to the client too. The
  // provider adds the hash of a script that it needs, which replaces script-src 'none'.
  'content-security-policy': `default-src 'none'; script-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Escapes text for HTML, also for a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function renderSignInPage(clientName: string, options: { login?: string; failed?: boolean } = {}): string {
  const error = options.failed ? '<p class="error" role="alert">The name or the password is wrong.</p>' : '';
  return page(
    'Sign in',
    `<h1>Sign in</h1><p>to continue to ${escapeHtml(clientName)}</p>${error}
    <form method="post">
      <label>Name or e-mail<input type="text" name="login" value="${escapeHtml(options.login ?? '')}" autocomplete="username" autocapitalize="none" required ${options.login ? '' : 'autofocus'}></label>
      <label>Password<input type="password" name="password" autocomplete="current-password" required ${options.login ? 'autofocus' : ''}></label>
      <button type="submit">Sign in</button>
      <button type="submit" name="cancel" value="yes" class="quiet" formnovalidate>Cancel</button>
    </form>
    <small>The passwords of this local platform are in <code>credentials.json</code> in its home folder.</small>`,
  );
}

export function renderConsentPage(clientName: string, redirectUri: string, person: string): string {
  return page(
    'Allow access',
    `<h1>Allow ${escapeHtml(clientName)}?</h1><p>This application registered itself. It will act as <b>${escapeHtml(person)}</b> on this Gatehouse.</p>
    <dl><dt>The answer goes to</dt><dd>${escapeHtml(redirectUri)}</dd></dl>
    <form method="post"><button type="submit" name="consent" value="yes">Allow</button>
    <button type="submit" name="cancel" value="yes" class="quiet">Cancel</button></form>`,
  );
}

/** @param form the form of the provider; its inline script is removed */
export function deviceCodePage(form: string, failed: boolean): string {
  const hint = failed
    ? '<p class="error" role="alert">This code is not known or no longer valid.</p>'
    : '<p>Enter the code that your device shows.</p>';
  const field = form.replace(/ onfocus="[^"]*"/, '');
  return page(
    'Sign in a device',
    `<h1>Sign in a device</h1>${hint}${field}<button type="submit" form="op.deviceInputForm">Continue</button>`,
  );
}

export function deviceConfirmPage(form: string, clientName: string, code: string): string {
  return page(
    'Confirm the device',
    `<h1>Sign in ${escapeHtml(clientName)}?</h1><p>Your device must show this code:</p><p><code>${escapeHtml(code)}</code></p>${form}
    <button type="submit" form="op.deviceConfirmForm" autofocus>Continue</button>
    <button type="submit" form="op.deviceConfirmForm" class="quiet" name="abort" value="yes">Cancel</button>
    <small>Cancel if you did not start this sign-in, or if your device shows a different code.</small>`,
  );
}

export function signOutPage(form: string): string {
  return page(
    'Sign out',
    `<h1>Sign out?</h1><p>This ends your session with the local identity provider.</p>${form}
    <button type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
    <button type="submit" form="op.logoutForm" class="quiet">Stay signed in</button>`,
  );
}

export function renderErrorPage(error: string, description: string | undefined): string {
  return page(
    'Something is wrong',
    `<h1>This did not work</h1><p class="error" role="alert">${escapeHtml(description ?? error)}</p>
    <p>Go back to the application and start again.</p><small>Error code: <code>${escapeHtml(error)}</code></small>`,
  );
}

export function renderMessagePage(title: string, text: string): string {
  return page(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Gatehouse</title><style>${style}</style></head><body><main><div class="brand">Gatehouse</div>${body}</main></body></html>`;
}
