// The reference page: shows the OpenAPI document, and signs users in at the deployment's issuer, so that they can try operations.
/* global SwaggerUIBundle, document, location, history, sessionStorage, crypto, btoa, atob, URLSearchParams, requestAnimationFrame */

const settings = JSON.parse(document.getElementById('settings').textContent);
const bar = {
  status: document.getElementById('status'),
  button: document.getElementById('sign-in'),
};
const redirectUri = `${location.origin}${location.pathname}`;
const PENDING = 'gatehouse-sign-in';

const spec = readable(await (await fetch('doc/openapi.json')).json());
// The browser paints the overview before the library blocks the page.
await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

const ui = SwaggerUIBundle({
  spec,
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelRendering: 'example',
  filter: true,
  validatorUrl: null,
  onComplete: () => {
    removeOverview();
    void start();
  },
});

/** Adds to descriptions the roles and the examples of optional parameters, which the library does not show. */
function readable(described) {
  for (const operation of Object.values(described.paths).flatMap((item) => Object.values(item))) {
    const roles = operation['x-roles'] ?? [];
    const access = operation.security?.length === 0 ? 'Public.' : roles.length > 0 ? `Roles: ${roles.join(', ')}.` : '';
    operation.description = [operation.description, access].filter(Boolean).join('\n\n');
    for (const parameter of operation.parameters ?? []) {
      const [example] = parameter.schema?.examples ?? [];
      if (example === undefined || parameter.schema.default !== undefined) continue;
      parameter.description = [parameter.description, `For example \`${example}\``].filter(Boolean).join('. ');
    }
  }
  return { ...described, servers: [{ url: new URL('..', location.href).href.replace(/\/$/, '') }] };
}

/** Removes the overview as soon as the library shows its operations. */
function removeOverview() {
  if (document.querySelector('#reference .opblock-tag')) document.getElementById('overview').remove();
  else requestAnimationFrame(removeOverview);
}

async function start() {
  if (!settings.signIn) {
    bar.status.textContent = settings.why;
    return;
  }
  bar.button.hidden = false;
  bar.button.addEventListener('click', () => void leave());
  const parameters = new URLSearchParams(location.search);
  if (!parameters.has('state')) return;
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? 'null');
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, '', `${location.pathname}${pending?.hash ?? ''}`);
  try {
    show(await redeem(parameters, pending));
  } catch (error) {
    bar.status.textContent = `Sign-in failed: ${error.message}`;
  }
}

/** Redirects to the issuer (OpenID Connect Core §3.1, PKCE of RFC 7636). */
async function leave() {
  const verifier = random();
  const state = random();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  sessionStorage.setItem(PENDING, JSON.stringify({ verifier, state, hash: location.hash }));
  const target = new URL(settings.signIn.authorization_endpoint);
  const request = {
    response_type: 'code',
    client_id: settings.signIn.client_id,
    redirect_uri: redirectUri,
    scope: settings.signIn.scope,
    state,
    code_challenge: base64url(digest),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(request)) target.searchParams.set(name, value);
  location.assign(target);
}

/** Exchanges the issuer's answer for a token. An unrequested answer, or one of another issuer (RFC 9207), is refused. */
async function redeem(parameters, pending) {
  if (!pending || parameters.get('state') !== pending.state) throw new Error('this page did not start the sign-in');
  if (parameters.has('iss') && parameters.get('iss') !== settings.signIn.issuer)
    throw new Error('another issuer answered');
  if (parameters.has('error')) throw new Error(parameters.get('error_description') ?? parameters.get('error'));
  const response = await fetch(settings.signIn.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: settings.signIn.client_id,
      code: parameters.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: pending.verifier,
    }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error_description ?? body.error ?? `the issuer answered ${response.status}`);
  return body.access_token;
}

/** Keeps the token in the memory of the page only. */
function show(token) {
  ui.preauthorizeApiKey('bearer', token);
  const { name, preferred_username, sub, exp } = decodeClaims(token);
  bar.status.textContent = `Signed in as ${preferred_username ?? name ?? sub ?? 'an unknown user'}`;
  bar.button.textContent = 'Sign in again';
  const left = exp ? exp * 1000 - Date.now() : 0;
  if (left > 0 && left < 2 ** 31) setTimeout(() => (bar.status.textContent = 'The sign-in has expired'), left);
}

function decodeClaims(token) {
  try {
    const text = atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
  } catch {
    return {};
  }
}

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

function base64url(bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
