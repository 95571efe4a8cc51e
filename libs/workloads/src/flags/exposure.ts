import { isLoopback } from '@gatehouse/proxy/passes/host';

/**
 * Returns the warning for a proxy that other machines can reach.
 * @param typed the value of `--host`
 * @param address the resolved address
 * @returns undefined for a loopback address
 */
export function createExposureWarning(
  typed: string,
  address: string,
  allowedOrigins: readonly string[] | undefined,
): string | undefined {
  if (isLoopback(address)) return undefined;
  const origins = allowedOrigins?.length
    ? `Web pages may call only from ${allowedOrigins.join(', ')}.`
    : 'Web pages of other origins are refused; --allowed-origins allows them.';
  return (
    `With --host ${typed} every machine that reaches this one can call the server without a sign-in. ${origins} ` +
    'Clients must call an IP address of this machine, its host name, or a host of --host or --allowed-origins.'
  );
}
