import { isLoopback } from '@gatehouse/proxy/passes/host';

/**
 * Returns the warning for a proxy that other machines can reach.
 * @param typed the value of `--host`
 * @param address the resolved address
 * @param needsToken whether the proxy accepts only callers with a token
 * @returns undefined for a loopback address
 */
export function createExposureWarning(
  typed: string,
  address: string,
  needsToken: boolean,
  allowedOrigins: readonly string[] | undefined,
): string | undefined {
  if (isLoopback(address)) return undefined;
  const origins = allowedOrigins?.length
    ? `Web pages may call only from ${allowedOrigins.join(', ')}.`
    : 'Web pages of other origins are refused; --allowed-origins allows them.';
  const callers = needsToken ? 'the proxy, which accepts callers with a token only' : 'the server without a sign-in';
  return (
    `With --host ${typed} every machine that reaches this one can call ${callers}. ${origins} ` +
    'Clients must call an IP address of this machine, its host name, or a host of --host or --allowed-origins.'
  );
}
