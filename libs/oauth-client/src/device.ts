import * as oidc from 'openid-client';
import { toOAuthError } from './errors.ts';
import type { Provider } from './provider.ts';
import { toResource, toBearerTokenSet, type TokenSet } from './tokens.ts';

/** A device authorization that waits for the user (RFC 8628, section 3.2). */
export interface DeviceAuthorization {
  readonly userCode: string;
  /** Where the user enters the code. A caller that opens it must check its protocol. */
  readonly verificationUri: string;
  /** The same address with the code in it. */
  readonly verificationUriComplete: string | undefined;
  /**
   * Polls in the interval of the server until the user has decided.
   * @throws ProviderRefusalError, with `access_denied` or `expired_token` among its errors;
   * ProviderUnavailableError, InvalidProviderError
   */
  readonly poll: (signal: AbortSignal) => Promise<TokenSet>;
}

/** Whether a server supports the device flow. */
export const supportsDevices = (provider: Provider): boolean =>
  provider.metadata.device_authorization_endpoint !== undefined;

/**
 * Begins the device authorization flow (RFC 8628), with PKCE for servers that support it.
 * @throws ProviderRefusalError, ProviderUnavailableError, InvalidProviderError
 */
export async function beginDeviceAuthorization(
  provider: Provider,
  { scope, resource }: { scope: string; resource?: string | undefined },
): Promise<DeviceAuthorization> {
  const pkce = await createPkce(provider);
  try {
    const device = await oidc.initiateDeviceAuthorization(provider.configuration, {
      scope,
      ...toResource(resource),
      ...pkce.request,
    });
    return {
      userCode: device.user_code,
      verificationUri: device.verification_uri,
      verificationUriComplete: device.verification_uri_complete,
      poll: async (signal) => {
        const parameters = { ...toResource(resource), ...pkce.poll };
        try {
          const tokens = await oidc.pollDeviceAuthorizationGrant(provider.configuration, device, parameters, {
            signal,
          });
          return toBearerTokenSet(tokens, Date.now());
        } catch (cause) {
          throw toOAuthError(cause);
        }
      },
    };
  } catch (cause) {
    throw toOAuthError(cause);
  }
}

/**
 * The PKCE parameters of the device flow. A server that supports them binds the code to this
 * process; others ignore them (RFC 6749, section 3.1). They are omitted only for a server that
 * lists its methods without S256.
 */
async function createPkce(provider: Provider): Promise<Record<'request' | 'poll', Record<string, string>>> {
  const methods = provider.metadata.code_challenge_methods_supported;
  if (methods !== undefined && !methods.includes('S256')) return { request: {}, poll: {} };
  const verifier = oidc.randomPKCECodeVerifier();
  const challenge = await oidc.calculatePKCECodeChallenge(verifier);
  return {
    request: { code_challenge: challenge, code_challenge_method: 'S256' },
    poll: { code_verifier: verifier },
  };
}
