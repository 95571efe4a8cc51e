/**
 * Gives the server a token of its own for the caller (RFC 8693). The authentication pass has
 * verified the token of the caller before and has taken it off the request.
 */
import type { ProviderRefusalError } from '@gatehouse/oauth-client/errors';
import { answerOAuthError } from '../authentication/answer-error.ts';
import { describeCauses } from '../authentication/describe-causes.ts';
import type { ExchangedTokens } from '../authentication/exchanged-tokens.ts';
import type { TokenExchangeOptions } from '../authentication/token-exchange-options.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { ProxyOptionError } from '../pipeline/option-error.ts';
import type { ProxyLogLine } from '../pipeline/options.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';
import type { RefuseToken } from './authentication.ts';
import { isSettableHeader } from './forward-headers.ts';

/** Refusals that a new token of the caller can solve (RFC 8693, section 2.2.2). */
const SUBJECT_FAULTS: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_request', 'access_denied']);

/** Creates the pass. @throws ProxyOptionError for an invalid option */
export function createTokenExchangePass(
  options: TokenExchangeOptions,
  { refuse, log }: { refuse: RefuseToken; log: (line: ProxyLogLine) => void },
): Pass {
  requireUsableOptions(options);
  const headerName = (options.headerName ?? 'authorization').toLowerCase();
  let loading: Promise<ExchangedTokens> | undefined;
  let tokens: ExchangedTokens | undefined;
  const forward = (exchange: Exchange, token: string): PassResult => {
    exchange.changeHeader(headerName, `Bearer ${token}`);
    return 'next';
  };
  const request = async (exchange: Exchange, subjectToken: string): Promise<PassResult> => {
    try {
      loading ??= import('../authentication/exchanged-tokens.ts').then(
        ({ ExchangedTokens: Tokens }) => new Tokens(options),
      );
      tokens = await loading;
      return forward(exchange, await tokens.get(subjectToken));
    } catch (error) {
      if (isRefusal(error) && SUBJECT_FAULTS.has(error.error))
        return refuse(exchange, 401, 'invalid_token', 'Token exchange failed: the access token was not accepted.');
      log({ level: 'warn', message: `Tokens cannot be exchanged at ${options.tokenUrl}: ${describeCauses(error)}` });
      const description = 'Token exchange failed: the proxy got no token for the server.';
      answerOAuthError(exchange.response, 502, 'token_exchange_failed', description);
      return 'done';
    }
  };
  return {
    name: 'token-exchange',
    enter(exchange) {
      const { accessToken } = exchange;
      if (accessToken === undefined) throw new TypeError('The caller has no verified token.');
      const known = tokens?.recall(accessToken);
      return known === undefined ? request(exchange, accessToken) : forward(exchange, known);
    },
  };
}

/** The module of the error is loaded with the first exchange only. */
const isRefusal = (error: unknown): error is ProviderRefusalError =>
  (error as { code?: unknown } | null)?.code === ('oauth_request_refused' satisfies ProviderRefusalError['code']);

function requireUsableOptions({ tokenUrl, clientId, clientSecret, headerName }: TokenExchangeOptions): void {
  if (!/^https?:$/.test(URL.parse(tokenUrl)?.protocol ?? ''))
    throw new ProxyOptionError(
      'tokenExchange.tokenUrl',
      `"${tokenUrl}" is not a URL like https://id.example.com/token.`,
    );
  if (clientSecret !== undefined && clientId === undefined)
    throw new ProxyOptionError('tokenExchange.clientId', 'The client secret of token exchange needs a client id.');
  if (headerName !== undefined && !isSettableHeader(headerName))
    throw new ProxyOptionError('tokenExchange.headerName', `The header "${headerName}" cannot carry a token.`);
}
