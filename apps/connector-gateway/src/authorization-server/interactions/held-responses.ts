import type { KoaContextWithOIDC } from 'oidc-provider';
import { html, PAGE_HEADERS, renderPage } from '../../public-listener/page.ts';
import { classifyRedirectUri } from '../clients/redirect-uris.ts';

const AUTHORIZATION_PATH = '/oauth/authorize';

/** Marks a response that is a page of this server, which leads to no client. */
export const IS_PAGE = 'isPage';

/**
 * Sends a page with a link instead of an immediate redirect to an https address. Anybody can
 * register such an address, so a redirect before the user has seen a page of this server would be
 * an open redirect (RFC 9700, section 4.11.2). Programs on the user's machine still get the error.
 * @param issuer origin of this server
 */
export function holdImmediateResponse(ctx: KoaContextWithOIDC, issuer: string): void {
  if (ctx.path !== AUTHORIZATION_PATH || ctx.state[IS_PAGE] === true) return;
  const location = ctx.res.getHeader('location')?.toString();
  if (location !== undefined && new URL(location, issuer).origin === issuer) return;
  const redirectUri = String(ctx.oidc.params?.['redirect_uri']);
  if (classifyRedirectUri(redirectUri) !== 'https') return;
  const target = location ?? redirectUri;
  const { searchParams, host } = new URL(target);
  ctx.remove('location');
  ctx.status = 400;
  ctx.set(PAGE_HEADERS);
  ctx.body = renderPage({
    title: 'This did not work',
    body: html`<p>
        The client sent a request that is refused: ${searchParams.get('error_description') ?? 'invalid request'}.
      </p>
      <p>It asks to send you back to ${host}. Go there only if you know this site.</p>
      <a class="button" rel="noreferrer" href="${target}">Go to ${host}</a>`,
  });
}
