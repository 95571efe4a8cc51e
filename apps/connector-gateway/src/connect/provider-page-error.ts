import { MissingKeyError } from '@gatehouse/envelope/cipher';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { ProviderRefusalError, ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import { CredentialError } from '../mcp/ports/upstream-secrets.ts';
import { PageError } from '../public-listener/page-error.ts';

const TITLE = 'The connector was not connected';

/**
 * Converts a failure at the provider of a connector to a page. Texts of the provider are shown only
 * from a response that belongs to the sign-in.
 * @returns the error itself if it is no failure of a provider
 */
export function toPageError(cause: unknown): unknown {
  if (cause instanceof PageError || !(cause instanceof GatehouseError)) return cause;
  const [status, text] = describe(cause);
  return new PageError(status, TITLE, text, { cause });
}

function describe(error: GatehouseError): [number, string] {
  if (error instanceof ProviderRefusalError)
    return [403, `The provider answered: ${error.message}. Try again, or ask an administrator.`];
  if (error instanceof ProviderUnavailableError) return [503, 'The provider does not answer. Try again later.'];
  if (error instanceof MissingKeyError)
    return [503, 'This gateway has no key to store the sign-in. Ask an administrator to set KEY_ENCRYPTION_KEYS.'];
  if (error instanceof CredentialError) return [503, `The connector ${error.message}. Try again later.`];
  return [502, 'The provider sent an invalid response. Nothing was stored. Tell an administrator.'];
}
